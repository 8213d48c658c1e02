//! Child side of the sandbox: restricts this process, then reads pages until its input is closed.

use std::{
    io::{self, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use permits::Pace;

use super::{
    confine,
    frame::{self, ChildRequest, MAX_FRAME_BYTES, PANICKED, RESULT},
};
use crate::{
    extract, extract_selected, feed, monitor_lists, page_copy, received_mail, smaller_picture, tokens, watch,
};

/// Stack size of the thread that reads pages.
const STACK_BYTES: usize = 16 * 1024 * 1024;
/// Maximum capacity that is reserved for a frame on the basis of its declared length.
const MAX_RESERVED_BYTES: usize = 1024 * 1024;

/// Entry point of the hidden subcommand that reads pages from standard input, writes responses to standard
/// output, and exits when its input is closed.
///
/// Does not use the environment. Fails if the parent does not follow the protocol, or if a page took much
/// longer than its time limit and the parent did not kill this process.
pub fn child_main() -> ExitCode {
    // Panics that a page causes in libraries are not written to standard error.
    std::panic::set_hook(Box::new(|_| {}));
    let mut stdin = io::stdin().lock();
    let Some(hello) = read(&mut stdin).ok().flatten().and_then(|bytes| frame::hello(&bytes)) else {
        return ExitCode::FAILURE;
    };
    let Ok(mut missing) = confine::process(hello.memory_bytes, hello.nice) else { return ExitCode::FAILURE };
    let (pages, inbox) = mpsc::channel::<ChildRequest>();
    let (outbox, answers) = mpsc::channel::<Vec<u8>>();
    if thread::Builder::new().stack_size(STACK_BYTES).spawn(move || work(&inbox, &outbox)).is_err() {
        return ExitCode::FAILURE;
    }
    // The parent kills this process much earlier. This timeout applies only if the parent has exited.
    let timeout = Duration::from_millis(hello.wall_ms).saturating_mul(3).max(Duration::from_mins(1));
    // The first response reports that the worker is ready. No page is read before all restrictions apply.
    if answers.recv_timeout(timeout).is_err() {
        return ExitCode::FAILURE;
    }
    let Ok(more) = confine::calls() else { return ExitCode::FAILURE };
    missing.extend(more);
    serve(&mut stdin, &pages, &answers, frame::ready(&missing), timeout)
}

/// Applies the restrictions of a child to this process, for tests. Returns the sandbox features that the
/// kernel does not support.
#[doc(hidden)]
pub fn confine_this_process(memory_bytes: u64) -> io::Result<Vec<String>> {
    let mut missing = confine::process(memory_bytes, confine::nice_value(Pace::Interactive))?;
    missing.extend(confine::calls()?);
    Ok(missing)
}

fn serve(
    stdin: &mut impl Read,
    pages: &Sender<ChildRequest>,
    answers: &Receiver<Vec<u8>>,
    ready: Vec<u8>,
    timeout: Duration,
) -> ExitCode {
    let mut stdout = io::stdout().lock();
    let mut answer = ready;
    loop {
        if write(&mut stdout, &answer).is_err() {
            return ExitCode::FAILURE;
        }
        match read(stdin) {
            Ok(None) => return ExitCode::SUCCESS,
            Ok(Some(bytes)) => {
                let Some(question) = ChildRequest::parse(bytes) else { return ExitCode::FAILURE };
                if pages.send(question).is_err() {
                    return ExitCode::FAILURE;
                }
            }
            Err(_) => return ExitCode::FAILURE,
        }
        answer = match answers.recv_timeout(timeout) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return ExitCode::FAILURE,
        };
    }
}

fn work(pages: &Receiver<ChildRequest>, answers: &Sender<Vec<u8>>) {
    tokens::warm();
    let mut answer = vec![RESULT];
    while answers.send(answer).is_ok() {
        let Ok(question) = pages.recv() else { return };
        answer = answer_or_panicked(&question);
    }
}

/// Processes a frame and returns the response, for the fuzz targets. `None` if the frame does not follow the
/// protocol.
#[doc(hidden)]
pub fn answer_frame(frame: Vec<u8>) -> Option<Vec<u8>> {
    ChildRequest::parse(frame).map(|question| answer_or_panicked(&question))
}

fn answer_or_panicked(question: &ChildRequest) -> Vec<u8> {
    catch_unwind(AssertUnwindSafe(|| answer_to(question))).unwrap_or_else(|_| vec![PANICKED])
}

fn answer_to(question: &ChildRequest) -> Vec<u8> {
    let mut answer = vec![RESULT];
    let result = match question {
        ChildRequest::Page(input) => serde_json::to_writer(&mut answer, &extract(input)),
        ChildRequest::Selected(input, selector) => {
            serde_json::to_writer(&mut answer, &extract_selected(input, selector))
        }
        ChildRequest::Feed(input) => serde_json::to_writer(&mut answer, &feed::parse(input)),
        ChildRequest::Feeds(page) => {
            let (kind, url) = (page.content_type.as_deref(), page.url.as_deref().unwrap_or_default());
            serde_json::to_writer(&mut answer, &feed::discover::in_page(&page.bytes, kind, url))
        }
        ChildRequest::List(page) => serde_json::to_writer(&mut answer, &watch::page_list(page)),
        ChildRequest::Parts(page) => serde_json::to_writer(&mut answer, &watch::part_selectors(page)),
        ChildRequest::Outlines(body) => serde_json::to_writer(&mut answer, &feed::opml::read(body)),
        ChildRequest::Monitors(body) => serde_json::to_writer(&mut answer, &monitor_lists::read(body)),
        ChildRequest::Mail(message) => {
            serde_json::to_writer(&mut answer, &received_mail::read(message.clone()))
        }
        ChildRequest::MailFile(message, number) => {
            serde_json::to_writer(&mut answer, &received_mail::read_file(message, *number))
        }
        ChildRequest::PageCopy(source) => serde_json::to_writer(&mut answer, &page_copy::create(source)),
        ChildRequest::SmallerPicture(input) => {
            serde_json::to_writer(&mut answer, &smaller_picture::create(input))
        }
        ChildRequest::Watch(input) => serde_json::to_writer(&mut answer, &watch::observe_input(input)),
    };
    match result {
        Ok(()) => answer,
        Err(_) => vec![PANICKED],
    }
}

/// Reads a frame. `None` if the input is closed.
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
    // Memory for a longer frame is not reserved before its bytes arrive.
    let mut frame = Vec::with_capacity(size.min(MAX_RESERVED_BYTES));
    pipe.take(u64::try_from(size).unwrap_or(u64::MAX)).read_to_end(&mut frame)?;
    if frame.len() == size { Ok(Some(frame)) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn write(pipe: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    pipe.write_all(&frame::length(bytes.len()))?;
    pipe.write_all(bytes)?;
    pipe.flush()
}
