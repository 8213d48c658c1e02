//! Hostile text is read in child processes of the same executable: a memory limit, a wall clock, no secrets, no files,
//! no network, no further processes, no way out but the pipes.
//!
//! A child reads one page at a time and is used for many. A page that kills its child costs that page alone; sites take
//! turns, so that many dear pages of one site keep only that site waiting.

mod child;
mod confine;
mod frame;
mod turns;

use std::{
    path::PathBuf,
    process::Stdio,
    sync::{Arc, Mutex, Once, PoisonError},
    time::Duration,
};

use tokio::{
    process::{Child, ChildStdin, ChildStdout, Command},
    task::JoinHandle,
    time::timeout,
};

pub use self::child::{answer_frame, child_main, confine_this_process};
use self::frame::{Answer, Hello, Question, Reading};
pub use self::turns::Lane;
use self::turns::Turns;
use crate::document::{Found, Input};
use crate::feed::{FeedFound, FeedInput, discover::Candidate, opml::Outline};
use crate::watch::{Observation, ObserveError, ObserveInput};

/// A child that is not ready after this long will never be.
const START_TIME: Duration = Duration::from_secs(30);
/// How long a finished child may take to leave.
const LEAVE_TIME: Duration = Duration::from_secs(2);
/// What a pipe holds; the most that Linux grants everybody.
const PIPE_BYTES: usize = 1024 * 1024;
/// How the GNU allocator of a child behaves (mallopt(3); others do not look): memory that one page has used is
/// kept for the next instead of being given back and faulted in again, page by page. The child is one thread
/// that works and one that waits, so a second arena would serve nobody.
const ALLOCATOR: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_TRIM_THRESHOLD_", "67108864"),
    ("MALLOC_MMAP_THRESHOLD_", "33554432"),
];

/// How the pool runs its children.
#[derive(Debug, Clone)]
pub struct PoolSettings {
    /// The executable; it must call [`child_main`] when started with `args`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Children at once.
    pub workers: usize,
    /// Address space of one child, in bytes.
    pub memory_bytes: u64,
    /// Longest time for one page.
    pub wall: Duration,
    /// A child is replaced after this many pages.
    pub recycle_after: u32,
}

impl PoolSettings {
    /// Two children with 512 MiB and 10 seconds a page, replaced after 200 pages.
    pub fn new(program: PathBuf, args: Vec<String>) -> Self {
        let wall = Duration::from_secs(10);
        Self { program, args, workers: 2, memory_bytes: 512 * 1024 * 1024, wall, recycle_after: 200 }
    }
}

/// Why a page could not be read; the next one can.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The child ended in the middle of the page.
    #[error("the extraction process crashed")]
    Crashed,
    /// The page took longer than the wall clock allows.
    #[error("the extraction took too long")]
    TimedOut,
    /// The page needed more memory than a child has.
    #[error("the extraction needed too much memory")]
    MemoryLimit,
    /// No child could be started.
    #[error("no extraction process could be started: {0}")]
    Spawn(String),
}

/// A bounded set of children. Clones share it.
#[derive(Debug, Clone)]
pub struct Pool {
    inner: Arc<Inner>,
    /// In which all is read; by what it is where none is named.
    lane: Option<Lane>,
}

/// How much of a pool is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUsage {
    /// Children at once.
    pub most: usize,
    /// Children that read something.
    pub busy: usize,
    /// What waits for a child.
    pub waiting: usize,
}

#[derive(Debug)]
struct Inner {
    settings: PoolSettings,
    turns: Arc<Turns>,
    idle: Mutex<Vec<Worker>>,
    /// What the kernel lacks is said once.
    warned: Once,
}

#[derive(Debug)]
struct Worker {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    complaints: JoinHandle<Vec<u8>>,
    pages: u32,
}

impl Pool {
    /// A pool without children; they are started when needed.
    pub fn new(settings: PoolSettings) -> Self {
        let turns = Turns::new(settings.workers);
        let inner = Inner { settings, turns, idle: Mutex::new(Vec::new()), warned: Once::new() };
        Self { inner: Arc::new(inner), lane: None }
    }

    /// The same pool for what is read in this lane. Where none is named pages and lists are for people; feeds and what
    /// monitors watch are not.
    #[must_use]
    pub fn in_lane(&self, lane: Lane) -> Self {
        Self { inner: Arc::clone(&self.inner), lane: Some(lane) }
    }

    /// Reads one source in a child, waiting for a free one. Dropping the future ends the child.
    pub async fn extract(&self, input: Input) -> Result<Found, Fault> {
        self.ask(Question::Page(input)).await
    }

    /// Reads one feed in a child, as [`extract`](Self::extract) does a page.
    pub async fn read_feed(&self, input: FeedInput) -> Result<FeedFound, Fault> {
        self.ask(Question::Feed(Box::new(input))).await
    }

    /// Reads what a monitor watches in a child, as [`extract`](Self::extract) does a page. The inner error is a finding
    /// about the source, the outer one about the process.
    pub async fn observe(&self, input: ObserveInput) -> Result<Result<Observation, ObserveError>, Fault> {
        self.ask(Question::Watch(Box::new(input))).await
    }

    /// The feeds that a page names, looked for in a child. The page's URL is the base of their addresses.
    pub async fn find_feeds(&self, page: Input) -> Result<Vec<Candidate>, Fault> {
        self.ask(Question::Feeds(page)).await
    }

    /// Reads a list of subscriptions (OPML) in a child; nothing when it is none.
    pub async fn read_outlines(&self, body: Vec<u8>) -> Result<Option<Vec<Outline>>, Fault> {
        self.ask(Question::Outlines(body)).await
    }

    #[tracing::instrument(level = "debug", name = "extract", skip_all)]
    async fn ask<T: Reading>(&self, question: Question) -> Result<T, Fault> {
        let lane = self.lane.unwrap_or(question.lane());
        let turn = self.inner.turns.take(lane, &question.site()).await;
        let _turn = turn.ok_or_else(|| Fault::Spawn("the pool is shut down".to_owned()))?;
        let mut worker = self.worker().await?;
        match timeout(self.inner.settings.wall, worker.ask(question)).await {
            Ok(Ok(found)) => {
                self.give_back(worker);
                Ok(found)
            }
            Ok(Err(())) => Err(worker.post_mortem().await),
            Err(_) => {
                worker.kill().await;
                Err(Fault::TimedOut)
            }
        }
    }

    /// How much of the pool is in use at this moment.
    pub fn usage(&self) -> PoolUsage {
        let (most, busy, waiting) = self.inner.turns.usage();
        PoolUsage { most, busy, waiting }
    }

    /// Refuses new pages, waits for those that were asked for and ends all children.
    pub async fn shutdown(&self) {
        self.inner.turns.close().await;
        let idle = std::mem::take(&mut *self.idle());
        for worker in idle {
            worker.leave().await;
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A living idle child, or a new one.
    async fn worker(&self) -> Result<Worker, Fault> {
        loop {
            let Some(mut worker) = self.idle().pop() else { break };
            if matches!(worker.child.try_wait(), Ok(None)) {
                return Ok(worker);
            }
        }
        let (worker, missing) = Worker::start(&self.inner.settings).await?;
        if !missing.is_empty() {
            self.inner.warned.call_once(|| {
                let missing = missing.join(", ");
                tracing::warn!(%missing, "extraction processes run without parts of their sandbox that this kernel lacks");
            });
        }
        Ok(worker)
    }

    fn give_back(&self, mut worker: Worker) {
        worker.pages += 1;
        if worker.pages < self.inner.settings.recycle_after {
            self.idle().push(worker);
        } else {
            // Its standard input closes; it leaves by itself while the next one starts.
            tokio::spawn(worker.leave());
        }
    }
}

impl Worker {
    /// A child that is warm, and the parts of its sandbox that the kernel lacks.
    async fn start(settings: &PoolSettings) -> Result<(Self, Vec<String>), Fault> {
        let spawn = |error: std::io::Error| Fault::Spawn(error.to_string());
        let mut child = Command::new(&settings.program)
            .args(&settings.args)
            .env_clear()
            .envs(ALLOCATOR)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(spawn)?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Fault::Spawn("the child has no pipes".to_owned()));
        };
        widen(&stdin);
        widen(&stdout);
        let complaints = tokio::spawn(frame::last_words(stderr));
        let mut worker = Self { child, stdin, stdout, complaints, pages: 0 };
        let wall_ms = u64::try_from(settings.wall.as_millis()).unwrap_or(u64::MAX);
        let hello = Hello { memory_bytes: settings.memory_bytes, wall_ms };
        match timeout(START_TIME, worker.greet(&hello)).await {
            Ok(Ok(missing)) => Ok((worker, missing)),
            Ok(Err(error)) => {
                let words = worker.last_words().await;
                Err(Fault::Spawn(format!("{error}: {words}")))
            }
            Err(_) => Err(Fault::Spawn("the child did not become ready".to_owned())),
        }
    }

    /// Tells the child its limits and waits until it is warm; what its kernel lacks.
    async fn greet(&mut self, hello: &Hello) -> std::io::Result<Vec<String>> {
        frame::write(&mut self.stdin, &[&frame::hello_bytes(hello)]).await?;
        frame::read(&mut self.stdout).await.map(|ready| frame::missing(&ready))
    }

    async fn ask<T: Reading>(&mut self, question: Question) -> Result<T, ()> {
        let (head, body) = question.parts();
        frame::write(&mut self.stdin, &[&head, &body]).await.map_err(drop)?;
        drop((head, body));
        let answer = frame::read(&mut self.stdout).await.map_err(drop)?;
        match frame::answer(answer).await {
            Some(Answer::Found(found)) => Ok(*found),
            Some(Answer::Panicked) | None => Err(()),
        }
    }

    /// Why it died, told by its last words.
    async fn post_mortem(mut self) -> Fault {
        let _ = self.child.start_kill();
        let words = self.last_words().await;
        tracing::debug!(%words, "an extraction process died");
        if words.contains("memory allocation of") { Fault::MemoryLimit } else { Fault::Crashed }
    }

    async fn last_words(&mut self) -> String {
        let _ = self.child.start_kill();
        match timeout(LEAVE_TIME, &mut self.complaints).await {
            Ok(Ok(words)) => String::from_utf8_lossy(&words).trim().to_owned(),
            _ => String::new(),
        }
    }

    async fn kill(mut self) {
        let _ = timeout(LEAVE_TIME, self.child.kill()).await;
    }

    async fn leave(self) {
        let Self { mut child, stdin, .. } = self;
        drop(stdin);
        if timeout(LEAVE_TIME, child.wait()).await.is_err() {
            let _ = child.kill().await;
        }
    }
}

/// Lets most pages go through a pipe in one piece, where the system allows it: otherwise both sides wake up for
/// every 64 KiB.
fn widen(pipe: &impl std::os::fd::AsFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE_BYTES);
}

#[cfg(test)]
mod tests;
