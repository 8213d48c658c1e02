//! Starts child processes, and reads their standard error after they exit.

use std::{io, path::Path, process::Stdio, time::Duration};

use tokio::{
    process::{Child, ChildStdout, Command},
    task::JoinHandle,
    time::timeout,
};

use super::frame;

/// Maximum time until a started child is ready.
pub(super) const START_TIME: Duration = Duration::from_secs(30);
/// Maximum time that a child may take to exit.
pub(super) const EXIT_TIME: Duration = Duration::from_secs(2);
/// Capacity of a pipe, in bytes. It is the maximum that Linux allows without privileges.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 1024 * 1024;
/// Settings of mimalloc and of the GNU allocator (mallopt(3)) in a child. Memory that was used for a page is
/// retained for the next page, instead of being returned to the system. A child has one working and one
/// waiting thread, so a second arena would be useless. Reserved address space, in KiB, is counted in the
/// memory limit of the child.
const ALLOCATOR: [(&str, &str); 5] = [
    ("MIMALLOC_PURGE_DELAY", "-1"),
    ("MIMALLOC_ARENA_RESERVE", "65536"),
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_TRIM_THRESHOLD_", "67108864"),
    ("MALLOC_MMAP_THRESHOLD_", "33554432"),
];

/// Running child process. Dropping it kills the process.
#[derive(Debug)]
pub(super) struct ChildProcess {
    pub(super) child: Child,
    complaints: JoinHandle<Vec<u8>>,
}

impl ChildProcess {
    /// Starts `program` with an empty environment. Returns the child and its standard output.
    pub(super) fn spawn(program: &Path, args: &[String], stdin: Stdio) -> io::Result<(Self, ChildStdout)> {
        let mut child = Command::new(program)
            .args(args)
            .env_clear()
            .envs(ALLOCATOR)
            .current_dir("/")
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(io::Error::other("the child has no pipes"));
        };
        widen(&stdout);
        let complaints = tokio::spawn(frame::last_words(stderr));
        Ok((Self { child, complaints }, stdout))
    }

    /// Kills the child and returns the last bytes of its standard error.
    pub(super) async fn last_words(&mut self) -> String {
        let _ = self.child.start_kill();
        match timeout(EXIT_TIME, &mut self.complaints).await {
            Ok(Ok(words)) => String::from_utf8_lossy(&words).trim().to_owned(),
            _ => String::new(),
        }
    }
}

/// True if the last bytes of a child's standard error report that its memory limit was reached.
pub(super) fn is_memory_limit(words: &str) -> bool {
    words.contains("memory allocation of")
}

/// Enlarges a pipe, if the system allows it, so that most pages are transferred in one step. Otherwise, both
/// sides are woken for every 64 KiB.
#[cfg(target_os = "linux")]
pub(super) fn widen(pipe: &impl std::os::fd::AsFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE_BYTES);
}

/// Does nothing: only Linux supports this.
#[cfg(not(target_os = "linux"))]
pub(super) fn widen(_pipe: &impl std::os::fd::AsFd) {}
