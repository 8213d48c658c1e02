//! Child process that reads a file, without a limit on the total time, and sends its content in frames. The
//! file is the standard input of the child, so that the child can seek in it. The pipe provides
//! back-pressure: if the frames are not read, the child waits.
//!
//! The frames contain untrusted bytes, so the receiver must limit them.

use std::{fs::File, io, os::unix::process::ExitStatusExt as _, path::Path, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncReadExt, BufReader},
    process::ChildStdout,
    time::timeout,
};

use super::frame::RESULT;
use super::process::{ChildProcess, EXIT_TIME, START_TIME, is_memory_limit};

/// Maximum time between two frames of a child.
const FRAME_TIME: Duration = Duration::from_mins(5);
/// Maximum size of the first frame, which lists the sandbox features that the kernel does not support.
const MAX_READY_BYTES: usize = 4096;
/// Size of the read buffer.
const BUFFER_BYTES: usize = 256 * 1024;
/// Signal that cannot be caught. The system sends it if memory is exhausted.
const SIGKILL: i32 = 9;

/// Reason why a file could not be read completely.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileChildError {
    #[error("no process could be started: {0}")]
    Start(String),
    /// The child exited unexpectedly, or violated the protocol.
    #[error("the process crashed")]
    Crashed,
    /// The child was killed by another process or by the system.
    #[error("the process was killed")]
    Killed,
    #[error("the process needed too much memory")]
    MemoryLimit,
    /// The child did not send a frame for five minutes.
    #[error("the process took too long")]
    TimedOut,
}

/// Frame that a child sends.
#[derive(Debug, PartialEq, Eq)]
pub struct FileFrame {
    /// Kind of the frame, which determines the meaning of the body.
    pub tag: u8,
    pub body: Vec<u8>,
}

/// Running child that reads a file. Dropping it kills the process.
#[derive(Debug)]
pub struct FileChild {
    process: ChildProcess,
    stdout: BufReader<ChildStdout>,
}

impl FileChild {
    /// Starts a child and waits until it is ready. Also returns the sandbox features that the kernel does not
    /// support.
    pub(super) async fn start(
        program: &Path,
        args: &[String],
        file: File,
    ) -> Result<(Self, Vec<String>), FileChildError> {
        let spawned = ChildProcess::spawn(program, args, Stdio::from(file));
        let (process, stdout) = spawned.map_err(|error| FileChildError::Start(error.to_string()))?;
        let mut child = Self { process, stdout: BufReader::with_capacity(BUFFER_BYTES, stdout) };
        let reason = match timeout(START_TIME, read(&mut child.stdout, MAX_READY_BYTES)).await {
            Ok(Ok(FileFrame { tag: RESULT, body })) => {
                return Ok((child, serde_json::from_slice(&body).unwrap_or_default()));
            }
            Ok(Ok(_)) => "the child does not follow the protocol".to_owned(),
            Ok(Err(error)) => format!("{error}: {}", child.process.last_words().await),
            Err(_) => "the child did not become ready".to_owned(),
        };
        Err(FileChildError::Start(reason))
    }

    /// Receives the next frame. After an error, the child is stopped.
    ///
    /// # Errors
    /// Returns an error if the child stopped, sent no frame for five minutes, or sent a body of more than
    /// `max_bytes`.
    pub async fn read_frame(&mut self, max_bytes: usize) -> Result<FileFrame, FileChildError> {
        let error = match timeout(FRAME_TIME, read(&mut self.stdout, max_bytes)).await {
            Ok(Ok(frame)) => return Ok(frame),
            Ok(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => self.post_mortem().await,
            Ok(Err(_)) => FileChildError::Crashed,
            Err(_) => FileChildError::TimedOut,
        };
        let _ = self.process.child.start_kill();
        tracing::warn!(%error, "file process failed");
        Err(error)
    }

    /// Process id. `None` if the child has exited.
    pub fn id(&self) -> Option<u32> {
        self.process.child.id()
    }

    /// Reason why a child closed its output.
    async fn post_mortem(&mut self) -> FileChildError {
        let status = timeout(EXIT_TIME, self.process.child.wait()).await;
        let signal = status.ok().and_then(Result::ok).and_then(|status| status.signal());
        let words = self.process.last_words().await;
        tracing::debug!(%words, ?signal, "file process died");
        match signal {
            _ if is_memory_limit(&words) => FileChildError::MemoryLimit,
            Some(SIGKILL) => FileChildError::Killed,
            _ => FileChildError::Crashed,
        }
    }
}

async fn read(pipe: &mut (impl AsyncRead + Unpin), max_bytes: usize) -> io::Result<FileFrame> {
    let tag = pipe.read_u8().await?;
    let size = usize::try_from(pipe.read_u32_le().await?).unwrap_or(usize::MAX);
    if size > max_bytes {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; size];
    pipe.read_exact(&mut body).await?;
    Ok(FileFrame { tag, body })
}
