//! The child's side: limits on itself, then one page after the other until its input closes.

use std::{
    io::{self, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use rustix::process::{Resource, Rlimit, setrlimit};

use super::frame::{self, FOUND, Hello, MAX_FRAME_BYTES, PANICKED, Question};
use crate::{extract, feed, tokens, watch};

/// Stack of the thread that reads pages.
const STACK_BYTES: usize = 16 * 1024 * 1024;
/// Room made for a frame on its length alone.
const BELIEVED_BYTES: usize = 1024 * 1024;

/// The hidden subcommand: reads pages on standard input, answers on standard output, ends when its input closes.
///
/// Nothing of the environment is used. Ends with a failure when the other side does not speak the protocol, or when a
/// page took far longer than its time and nobody was left to end this process.
pub fn child_main() -> ExitCode {
    // What a page does to a library is not worth a report on standard error.
    std::panic::set_hook(Box::new(|_| {}));
    let mut stdin = io::stdin().lock();
    let Some(hello) = read(&mut stdin).ok().flatten().and_then(|bytes| frame::hello(&bytes)) else {
        return ExitCode::FAILURE;
    };
    if limit(&hello).is_err() {
        return ExitCode::FAILURE;
    }
    let (pages, inbox) = mpsc::channel::<Question>();
    let (outbox, answers) = mpsc::channel::<Vec<u8>>();
    if thread::Builder::new().stack_size(STACK_BYTES).spawn(move || work(&inbox, &outbox)).is_err() {
        return ExitCode::FAILURE;
    }
    // The parent ends this process long before; this is for the case that it is gone.
    let patience = Duration::from_millis(hello.wall_ms).saturating_mul(3).max(Duration::from_mins(1));
    serve(&mut stdin, &pages, &answers, patience)
}

fn serve(
    stdin: &mut impl Read,
    pages: &Sender<Question>,
    answers: &Receiver<Vec<u8>>,
    patience: Duration,
) -> ExitCode {
    let mut stdout = io::stdout().lock();
    loop {
        // The first answer says that the worker is warm.
        let answer = match answers.recv_timeout(patience) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return ExitCode::FAILURE,
        };
        if write(&mut stdout, &answer).is_err() {
            return ExitCode::FAILURE;
        }
        match read(stdin) {
            Ok(None) => return ExitCode::SUCCESS,
            Ok(Some(bytes)) => {
                let Some(question) = Question::parse(bytes) else { return ExitCode::FAILURE };
                if pages.send(question).is_err() {
                    return ExitCode::FAILURE;
                }
            }
            Err(_) => return ExitCode::FAILURE,
        }
    }
}

fn work(pages: &Receiver<Question>, answers: &Sender<Vec<u8>>) {
    tokens::warm();
    let mut answer = vec![FOUND];
    while answers.send(answer).is_ok() {
        let Ok(question) = pages.recv() else { return };
        answer = caught(&question);
    }
}

/// The answer to one frame, for the fuzz targets; nothing for a frame that does not speak the protocol.
#[doc(hidden)]
pub fn answer_frame(frame: Vec<u8>) -> Option<Vec<u8>> {
    Question::parse(frame).map(|question| caught(&question))
}

fn caught(question: &Question) -> Vec<u8> {
    catch_unwind(AssertUnwindSafe(|| answer_to(question))).unwrap_or_else(|_| vec![PANICKED])
}

fn answer_to(question: &Question) -> Vec<u8> {
    let mut answer = vec![FOUND];
    let written = match question {
        Question::Page(input) => serde_json::to_writer(&mut answer, &extract(input)),
        Question::Feed(input) => serde_json::to_writer(&mut answer, &feed::parse(input)),
        Question::Watch(input) => serde_json::to_writer(&mut answer, &watch::observe_input(input)),
    };
    match written {
        Ok(()) => answer,
        Err(_) => vec![PANICKED],
    }
}

/// No more memory than allowed, no core dumps (they would hold other people's pages), no new files.
fn limit(hello: &Hello) -> rustix::io::Result<()> {
    let fixed = |value: u64| Rlimit { current: Some(value), maximum: Some(value) };
    setrlimit(Resource::Core, fixed(0))?;
    setrlimit(Resource::Fsize, fixed(0))?;
    setrlimit(Resource::As, fixed(hello.memory_bytes))
}

/// A frame, or nothing at the end of the input.
fn read(pipe: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut size = [0; 4];
    match pipe.read(&mut size[..1])? {
        0 => return Ok(None),
        _ => pipe.read_exact(&mut size[1..])?,
    }
    let size = usize::try_from(u32::from_le_bytes(size)).unwrap_or(usize::MAX);
    if size > MAX_FRAME_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // Beyond this the length is not believed before the bytes are there.
    let mut frame = Vec::with_capacity(size.min(BELIEVED_BYTES));
    pipe.take(u64::try_from(size).unwrap_or(u64::MAX)).read_to_end(&mut frame)?;
    if frame.len() == size { Ok(Some(frame)) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn write(pipe: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    pipe.write_all(&frame::length(bytes.len()))?;
    pipe.write_all(bytes)?;
    pipe.flush()
}
