//! Reads hostile text in child processes of the same executable: a memory limit, a time limit, no secrets, no
//! files, no network, no further processes, no output but the pipes.
//!
//! A child reads one page at a time and is reused for many. A page that crashes its child affects only that
//! page. Sites alternate, so that many expensive pages of one site delay only that site.
//!
//! A file that takes minutes, such as the file of an import, has a child of its own: [`FileChild`].

mod child;
mod confine;
mod file_child;
mod file_main;
mod frame;
mod process;

use std::{
    fs::File,
    path::PathBuf,
    process::Stdio,
    sync::{Arc, Mutex, Once, PoisonError},
    time::Duration,
};

use permits::{FairSemaphore, Pace};
use tokio::{
    process::{ChildStdin, ChildStdout},
    time::timeout,
};

pub use self::child::{answer_frame, child_main, confine_this_process};
pub use self::file_child::{FileChild, FileChildError, FileFrame};
pub use self::file_main::{FrameWriter, file_child_main};
use self::frame::{ChildAnswer, ChildRequest, ChildResult, Hello};
use self::process::{ChildProcess, EXIT_TIME, START_TIME, is_memory_limit, widen};
use crate::document::{ExtractionOutcome, Input};
use crate::feed::{FeedInput, ParsedFeed, discover::FeedCandidate, opml::Outline};
use crate::monitor_lists::MonitorList;
use crate::watch::{Observation, ObserveError, ObserveInput, PageList};

/// Settings of a pool.
#[derive(Debug, Clone)]
pub struct PoolSettings {
    /// The executable. It must call [`child_main`] if it is started with `args`.
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Arguments with which the program reads a file. Memory limit and request follow them; the program
    /// passes the limit to [`file_child_main`].
    pub file_args: Vec<String>,
    /// Maximum concurrent children. If there are several, one caller or site uses at most all but one.
    pub workers: usize,
    /// Address space of one child, in bytes.
    pub memory_bytes: u64,
    /// Maximum time for one page.
    pub page_timeout: Duration,
    /// A child is replaced after this many pages.
    pub recycle_after: u32,
}

impl PoolSettings {
    /// Two children with 512 MiB and 10 seconds per page, replaced after 200 pages.
    pub fn new(program: PathBuf, args: Vec<String>) -> Self {
        Self {
            program,
            args,
            file_args: vec!["import-child".to_owned()],
            workers: 2,
            memory_bytes: 512 * 1024 * 1024,
            page_timeout: Duration::from_secs(10),
            recycle_after: 200,
        }
    }
}

/// Reason why a page could not be read. The next page can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SandboxError {
    /// The child exited while it read the page.
    #[error("the extraction process crashed")]
    Crashed,
    /// The page exceeded the time limit.
    #[error("the extraction took too long")]
    TimedOut,
    /// The page exceeded the memory limit of a child.
    #[error("the extraction needed too much memory")]
    MemoryLimit,
    #[error("no extraction process could be started: {0}")]
    Spawn(String),
}

/// A bounded set of children. Clones share it.
#[derive(Debug, Clone)]
pub struct Pool {
    inner: Arc<Inner>,
    /// Priority of all requests; by the kind of the request if `None`.
    pace: Option<Pace>,
    /// Caller of all requests. A request without a caller counts for its site.
    caller: Option<Arc<str>>,
}

/// Current use of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxUsage {
    /// Maximum concurrent children.
    pub max: usize,
    /// Children that are reading.
    pub busy: usize,
    /// Requests that wait for a child.
    pub waiting: usize,
}

#[derive(Debug)]
struct Inner {
    settings: PoolSettings,
    semaphore: Arc<FairSemaphore>,
    idle: Mutex<Vec<Worker>>,
    /// Missing kernel features are logged only the first time.
    warned: Once,
}

#[derive(Debug)]
struct Worker {
    process: ChildProcess,
    stdin: ChildStdin,
    stdout: ChildStdout,
    pages: u32,
}

impl Pool {
    /// Creates a pool without children. They are started when needed.
    pub fn new(settings: PoolSettings) -> Self {
        let semaphore = FairSemaphore::reserving_one(settings.workers);
        let inner = Inner { settings, semaphore, idle: Mutex::new(Vec::new()), warned: Once::new() };
        Self { inner: Arc::new(inner), pace: None, caller: None }
    }

    /// The same pool with a fixed priority. By default, pages and subscription lists are interactive; feeds
    /// and monitored sources are background work.
    #[must_use]
    pub fn at_pace(&self, pace: Pace) -> Self {
        Self { pace: Some(pace), ..self.clone() }
    }

    /// The same pool for requests of one caller, an account or a network. Callers get children in rotation,
    /// however many requests of a caller wait.
    #[must_use]
    pub fn for_caller(&self, caller: Option<String>) -> Self {
        Self { caller: caller.map(Arc::from), ..self.clone() }
    }

    /// Reads one source in a child, and waits for a free child. Dropping the future kills the child.
    pub async fn extract(&self, input: Input) -> Result<ExtractionOutcome, SandboxError> {
        self.ask(ChildRequest::Page(input)).await
    }

    /// Reads the elements of a page that a CSS selector matches, like [`extract`](Self::extract).
    pub async fn extract_selected(
        &self,
        input: Input,
        selector: String,
    ) -> Result<ExtractionOutcome, SandboxError> {
        self.ask(ChildRequest::Selected(input, selector)).await
    }

    /// Reads one feed in a child, like [`extract`](Self::extract).
    pub async fn read_feed(&self, input: FeedInput) -> Result<ParsedFeed, SandboxError> {
        self.ask(ChildRequest::Feed(Box::new(input))).await
    }

    /// Reads a monitored source in a child, like [`extract`](Self::extract). The inner error is about the
    /// source, the outer one about the process.
    pub async fn observe(
        &self,
        input: ObserveInput,
    ) -> Result<Result<Observation, ObserveError>, SandboxError> {
        self.ask(ChildRequest::Watch(Box::new(input))).await
    }

    /// Finds the feeds that a page links to, in a child. Their URLs are relative to the page's URL.
    pub async fn find_feeds(&self, page: Input) -> Result<Vec<FeedCandidate>, SandboxError> {
        self.ask(ChildRequest::Feeds(page)).await
    }

    /// Finds the list of a page whose new items may be watched, in a child; `None` if there is none.
    pub async fn find_list(&self, page: Input) -> Result<Option<PageList>, SandboxError> {
        self.ask(ChildRequest::List(page)).await
    }

    /// Reads a list of subscriptions (OPML) in a child; `None` if the body is not such a list.
    pub async fn read_outlines(&self, body: Vec<u8>) -> Result<Option<Vec<Outline>>, SandboxError> {
        self.ask(ChildRequest::Outlines(body)).await
    }

    /// Parses a list of monitors that another program exported, in a child. `None` if the file is not such a
    /// list.
    pub async fn read_monitors(&self, file: Vec<u8>) -> Result<Option<MonitorList>, SandboxError> {
        self.ask(ChildRequest::Monitors(file)).await
    }

    /// Starts a child for one file, outside of the pool's limit of children. `request` is the last argument
    /// of the program.
    ///
    /// # Errors
    /// [`FileChildError::Start`].
    pub async fn start_file_child(&self, file: File, request: &str) -> Result<FileChild, FileChildError> {
        let settings = &self.inner.settings;
        let mut args = settings.file_args.clone();
        args.extend([settings.memory_bytes.to_string(), request.to_owned()]);
        let (child, missing) = FileChild::start(&settings.program, &args, file).await?;
        self.warn_of_missing(&missing);
        Ok(child)
    }

    #[tracing::instrument(level = "debug", name = "extract", skip_all)]
    async fn ask<T: ChildResult>(&self, question: ChildRequest) -> Result<T, SandboxError> {
        let pace = self.pace.unwrap_or(question.pace());
        let key = self.caller.as_ref().map_or_else(|| question.site(), |caller| (**caller).to_owned());
        let permit = self.inner.semaphore.acquire(pace, &key).await;
        let _permit = permit.ok_or_else(|| SandboxError::Spawn("the pool is shut down".to_owned()))?;
        let mut worker = self.worker().await?;
        match timeout(self.inner.settings.page_timeout, worker.ask(question)).await {
            Ok(Ok(result)) => {
                self.give_back(worker);
                Ok(result)
            }
            Ok(Err(())) => Err(worker.post_mortem().await),
            Err(_) => {
                worker.kill().await;
                Err(SandboxError::TimedOut)
            }
        }
    }

    /// Current use of the pool.
    pub fn usage(&self) -> SandboxUsage {
        let (max, busy, waiting) = self.inner.semaphore.usage();
        SandboxUsage { max, busy, waiting }
    }

    /// Refuses new requests, waits for the accepted ones, and stops all children.
    pub async fn shutdown(&self) {
        self.inner.semaphore.close().await;
        let idle = std::mem::take(&mut *self.idle());
        for worker in idle {
            worker.exit().await;
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a running idle child, or starts one.
    async fn worker(&self) -> Result<Worker, SandboxError> {
        loop {
            let Some(mut worker) = self.idle().pop() else { break };
            if matches!(worker.process.child.try_wait(), Ok(None)) {
                return Ok(worker);
            }
        }
        let (worker, missing) = Worker::start(&self.inner.settings).await?;
        self.warn_of_missing(&missing);
        Ok(worker)
    }

    /// Logs, the first time, which parts of the sandbox the kernel lacks.
    fn warn_of_missing(&self, missing: &[String]) {
        if !missing.is_empty() {
            self.inner.warned.call_once(|| {
                let missing = missing.join(", ");
                tracing::warn!(%missing, "extraction processes run without parts of their sandbox because the kernel lacks them");
            });
        }
    }

    fn give_back(&self, mut worker: Worker) {
        worker.pages += 1;
        if worker.pages < self.inner.settings.recycle_after {
            self.idle().push(worker);
        } else {
            // Its standard input closes. The child exits while the next one starts.
            tokio::spawn(worker.exit());
        }
    }
}

impl Worker {
    /// Starts a child and waits until it is ready. Also returns the sandbox features that the kernel does not
    /// support.
    async fn start(settings: &PoolSettings) -> Result<(Self, Vec<String>), SandboxError> {
        let spawned = ChildProcess::spawn(&settings.program, &settings.args, Stdio::piped());
        let (mut process, stdout) = spawned.map_err(|error| SandboxError::Spawn(error.to_string()))?;
        let Some(stdin) = process.child.stdin.take() else {
            return Err(SandboxError::Spawn("the child has no pipes".to_owned()));
        };
        widen(&stdin);
        let mut worker = Self { process, stdin, stdout, pages: 0 };
        let wall_ms = u64::try_from(settings.page_timeout.as_millis()).unwrap_or(u64::MAX);
        let hello = Hello { memory_bytes: settings.memory_bytes, wall_ms };
        match timeout(START_TIME, worker.greet(&hello)).await {
            Ok(Ok(missing)) => Ok((worker, missing)),
            Ok(Err(error)) => {
                let words = worker.process.last_words().await;
                Err(SandboxError::Spawn(format!("{error}: {words}")))
            }
            Err(_) => Err(SandboxError::Spawn("the child did not become ready".to_owned())),
        }
    }

    /// Sends a child its limits and waits until it is ready. Returns what its kernel lacks.
    async fn greet(&mut self, hello: &Hello) -> std::io::Result<Vec<String>> {
        frame::write(&mut self.stdin, &[&frame::hello_bytes(hello)]).await?;
        frame::read(&mut self.stdout).await.map(|ready| frame::missing(&ready))
    }

    async fn ask<T: ChildResult>(&mut self, question: ChildRequest) -> Result<T, ()> {
        let (head, body) = question.parts();
        frame::write(&mut self.stdin, &[&head, &body]).await.map_err(drop)?;
        drop((head, body));
        let answer = frame::read(&mut self.stdout).await.map_err(drop)?;
        match frame::answer(answer).await {
            Some(ChildAnswer::Completed(result)) => Ok(*result),
            Some(ChildAnswer::Panicked) | None => Err(()),
        }
    }

    /// Reason why the child died, by the end of its standard error.
    async fn post_mortem(mut self) -> SandboxError {
        let words = self.process.last_words().await;
        tracing::debug!(%words, "extraction process died");
        if is_memory_limit(&words) { SandboxError::MemoryLimit } else { SandboxError::Crashed }
    }

    async fn kill(mut self) {
        let _ = timeout(EXIT_TIME, self.process.child.kill()).await;
    }

    async fn exit(self) {
        let Self { mut process, stdin, .. } = self;
        drop(stdin);
        if timeout(EXIT_TIME, process.child.wait()).await.is_err() {
            let _ = process.child.kill().await;
        }
    }
}

#[cfg(test)]
mod tests;
