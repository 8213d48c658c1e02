//! Child side of [`FileChild`](super::file_child::FileChild): restricts this process, then reads the file and
//! sends its content.

use std::{
    fs::File,
    io::{self, BufWriter, StdoutLock, Write},
    os::fd::AsFd,
    process::ExitCode,
};

use permits::Pace;
use serde::Serialize;

use super::{
    confine,
    frame::{self, MAX_FRAME_BYTES, RESULT},
};

/// Size of the write buffer.
const BUFFER_BYTES: usize = 64 * 1024;

/// Entry point of the hidden subcommand that reads a file from standard input. Restricts this process, then
/// calls `read`, which sends the content of the file.
///
/// Does not use the environment. Fails if `read` fails or panics, or if the parent has exited.
pub fn file_child_main(
    memory_bytes: u64,
    read: impl FnOnce(File, &mut FrameWriter) -> io::Result<()>,
) -> ExitCode {
    // Panics that a file causes in libraries are not written to standard error.
    std::panic::set_hook(Box::new(|_| {}));
    match send(memory_bytes, read) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn send(memory_bytes: u64, read: impl FnOnce(File, &mut FrameWriter) -> io::Result<()>) -> io::Result<()> {
    let mut missing = confine::process(memory_bytes, confine::nice_value(Pace::Background))?;
    // The file descriptor is duplicated after inherited descriptors are closed, and before new descriptors
    // are forbidden.
    let file = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    missing.extend(confine::calls()?);
    let mut output = FrameWriter { pipe: BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock()) };
    output.json(RESULT, &missing)?;
    output.flush()?;
    read(file, &mut output)?;
    output.flush()
}

/// Buffered writer of frames to standard output.
pub struct FrameWriter {
    pipe: BufWriter<StdoutLock<'static>>,
}

impl FrameWriter {
    /// Writes a frame.
    pub fn bytes(&mut self, tag: u8, body: &[u8]) -> io::Result<()> {
        self.head(tag, body.len())?;
        self.pipe.write_all(body)
    }

    /// Writes a frame that contains JSON. Fails if the frame would exceed the maximum size.
    pub fn json(&mut self, tag: u8, value: &impl Serialize) -> io::Result<()> {
        if self.json_within(tag, value, MAX_FRAME_BYTES)? {
            Ok(())
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }

    /// Writes a frame that contains JSON. If the JSON text has more than `max_bytes`, writes nothing and
    /// returns false. The text is never in memory as a whole.
    pub fn json_within(&mut self, tag: u8, value: &impl Serialize, max_bytes: usize) -> io::Result<bool> {
        let mut length = ByteCount(0);
        serde_json::to_writer(&mut length, value)?;
        if length.0 > max_bytes {
            return Ok(false);
        }
        self.head(tag, length.0)?;
        serde_json::to_writer(&mut self.pipe, value)?;
        Ok(true)
    }

    /// Sends the frames that are still buffered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }

    fn head(&mut self, tag: u8, length: usize) -> io::Result<()> {
        self.pipe.write_all(&[tag])?;
        self.pipe.write_all(&frame::length(length))
    }
}

/// Writer that only counts bytes.
struct ByteCount(usize);

impl Write for ByteCount {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
