//! Carrel processes, started as an operator starts them, and a Redis server that can be killed.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};

use kernel::testing::artifact_folder;
pub(crate) use kernel::testing::free_port;

use super::eventually;

/// Executable under test.
pub(crate) const CARREL: &str = env!("CARGO_BIN_EXE_carrel");

/// Leases of jobs in processes that are killed. A busy machine stops a process for some seconds; the jobs of a killed
/// process are started again before their leases expire.
pub(crate) const LEASE_SECONDS: &str = "10";

/// Carrel process, killed on drop.
pub(crate) struct Process {
    child: Child,
    log: PathBuf,
    _folder: tempfile::TempDir,
}

impl Process {
    /// Starts `carrel` with these arguments and settings in an otherwise empty environment.
    pub(crate) fn start(arguments: &[&str], settings: &[(&str, String)]) -> Self {
        Self::spawn(Command::new(CARREL), arguments, settings)
    }

    /// Starts `carrel` in a cgroup. `members` is the file that lists the cgroup's processes.
    #[cfg(feature = "faults")]
    pub(crate) fn start_in_cgroup(
        members: &std::path::Path,
        arguments: &[&str],
        settings: &[(&str, String)],
    ) -> Self {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]).arg(members).arg(CARREL);
        Self::spawn(shell, arguments, settings)
    }

    fn spawn(mut command: Command, arguments: &[&str], settings: &[(&str, String)]) -> Self {
        let mut folder = match artifact_folder() {
            Some(parent) => tempfile::tempdir_in(parent).expect("create a folder to retain"),
            None => tempfile::tempdir().expect("create a temporary folder"),
        };
        folder.disable_cleanup(artifact_folder().is_some());
        let log = folder.path().join("log");
        let file = File::create(&log).expect("create the log file");
        let child = command
            .args(arguments)
            .env_clear()
            .envs(settings.iter().map(|(name, value)| (*name, value.as_str())))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(file)
            .spawn()
            .expect("carrel starts");
        Self { child, log, _folder: folder }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns the log output so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Waits until the log contains `words`.
    pub(crate) async fn wait_for_log(&self, words: &str) {
        eventually(words, async || self.log(), |log| log.contains(words)).await;
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        rustix::process::kill_process(pid.expect("the process has an id"), signal)
            .expect("the process can be signalled");
    }

    /// Returns the exit status. `None` while the process runs.
    pub(crate) fn exit_status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("the process status can be read")
    }

    /// Waits until the process exits.
    pub(crate) async fn wait_for_exit(&mut self) -> ExitStatus {
        let mut interval = tokio::time::interval(std::time::Duration::from_millis(20));
        let begin = std::time::Instant::now();
        loop {
            interval.tick().await;
            if let Some(status) = self.exit_status() {
                return status;
            }
            assert!(begin.elapsed() < super::polling::TIMEOUT, "the process did not exit: {}", self.log());
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Redis server for a single test.
pub(crate) struct PrivateRedis {
    child: Option<Child>,
    port: u16,
    folder: tempfile::TempDir,
}

impl PrivateRedis {
    /// Starts an empty server without persistence.
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().expect("create a temporary folder");
        let mut redis = Self { child: None, port: free_port(), folder };
        redis.restart().await;
        redis
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Restarts the server without its data.
    pub(crate) async fn restart(&mut self) {
        let child = Command::new("redis-server")
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--save", "", "--dir"])
            .arg(self.folder.path())
            .stdout(Stdio::null())
            .spawn()
            .expect(kernel::testing::RUN_BIN_TEST);
        self.child = Some(child);
        let client = redis::Client::open(self.url()).expect("the URL is valid");
        eventually("Redis answers", async || client.get_connection().is_ok(), |is_up| *is_up).await;
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let child = self.child.as_ref().expect("Redis is running");
        let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
        rustix::process::kill_process(pid.expect("the process has an id"), signal)
            .expect("the process can be signalled");
    }

    /// Kills the server with `SIGKILL`.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for PrivateRedis {
    fn drop(&mut self) {
        self.kill();
    }
}
