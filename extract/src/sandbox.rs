//! Reads hostile input in child processes of the same executable. A child has a memory limit and a time
//! limit, and no access to secrets, files, the network or other processes. It has no output except its pipes.
//!
//! A child reads one page at a time and is reused for further pages. A page that crashes its child affects
//! only that page. Sites are served in rotation, so that many expensive pages of a site delay only that site.
//!
//! Background work has separate children with a lower priority, because a process without privileges cannot
//! raise its priority again.
//!
//! A file that takes minutes to read, such as the file of an import, has a separate child: [`FileChild`].

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
use self::confine::nice_value;
pub use self::file_child::{FileChild, FileChildError, FileFrame};
pub use self::file_main::{FrameWriter, file_child_main};
use self::frame::{ChildAnswer, ChildRequest, ChildResult, Hello};
use self::process::{ChildProcess, EXIT_TIME, START_TIME, is_memory_limit, widen};
use crate::document::{ExtractionOutcome, Input};
use crate::feed::{FeedInput, ParsedFeed, discover::FeedCandidate, opml::Outline};
use crate::monitor_lists::MonitorList;
use crate::page_copy::{HtmlCopy, PageSource};
use crate::received_mail::{MailFileContent, MailMessage};
use crate::smaller_picture::{PictureInput, SmallerPicture};
use crate::watch::{Observation, ObserveError, ObserveInput, PageList, PartSelector};

/// Size in bytes of a page after which its child is replaced, because a child retains the memory that its largest
/// page needed.
const LARGE_PAGE_BYTES: usize = 4 * 1024 * 1024;

/// Factor of the maximum time for background work.
const BACKGROUND_TIME: u32 = 2;

#[derive(Debug, Clone)]
pub struct PoolSettings {
    /// Executable of the children. It must call [`child_main`] if it is started with `args`.
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Arguments with which the program reads a file. The pool appends the memory limit and the request. The
    /// program passes the limit to [`file_child_main`].
    pub file_args: Vec<String>,
    /// Maximum number of concurrent children. If there are several, a single caller or site uses at most all
    /// but one of them.
    pub workers: usize,
    /// Maximum address space of a child, in bytes.
    pub memory_bytes: u64,
    /// Maximum time for a page that an interactive request reads. Background work has twice this time,
    /// because it yields the processor to other processes.
    pub page_timeout: Duration,
    /// Number of pages after which a child is replaced.
    pub recycle_after: u32,
}

impl PoolSettings {
    /// Settings for two children with 512 MiB and 10 seconds per page, each replaced after 200 pages.
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

    /// Maximum time for a page that a child of this priority reads.
    fn time_limit(&self, pace: Pace) -> Duration {
        match pace {
            Pace::Interactive => self.page_timeout,
            Pace::Background => self.page_timeout * BACKGROUND_TIME,
        }
    }
}

/// Reason why a page could not be read. Subsequent pages can still be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SandboxError {
    /// The child exited while it was reading the page.
    #[error("the extraction process crashed")]
    Crashed,
    /// The page exceeded the time limit.
    #[error("the extraction took too long")]
    TimedOut,
    /// The page exceeded the memory limit of the child.
    #[error("the extraction needed too much memory")]
    MemoryLimit,
    #[error("no extraction process could be started: {0}")]
    Spawn(String),
}

/// Bounded set of child processes. Clones share the same children.
#[derive(Debug, Clone)]
pub struct Pool {
    inner: Arc<SandboxState>,
    /// Priority of all requests. If `None`, it depends on the kind of the request.
    pace: Option<Pace>,
    /// Caller of all requests. Requests without a caller are counted in the share of their site.
    caller: Option<Arc<str>>,
}

/// Current use of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxUsage {
    /// Maximum number of concurrent children.
    pub max: usize,
    /// Number of children that are reading a page.
    pub busy: usize,
    /// Number of requests that wait for a child.
    pub waiting: usize,
}

#[derive(Debug)]
struct SandboxState {
    settings: PoolSettings,
    semaphore: Arc<FairSemaphore>,
    idle: Mutex<Vec<Worker>>,
    /// Ensures that missing kernel features are logged only the first time.
    warned: Once,
}

#[derive(Debug)]
struct Worker {
    process: ChildProcess,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// Priority of the requests for which the child was started.
    pace: Pace,
    pages: u32,
    /// True if the child has read a page of more than [`LARGE_PAGE_BYTES`], or a picture with many pixels.
    has_read_large_page: bool,
}

impl Pool {
    /// Creates a pool without children, which are started when they are needed.
    pub fn new(settings: PoolSettings) -> Self {
        let semaphore = FairSemaphore::reserving_one(settings.workers);
        let inner = SandboxState { settings, semaphore, idle: Mutex::new(Vec::new()), warned: Once::new() };
        Self { inner: Arc::new(inner), pace: None, caller: None }
    }

    /// Returns a handle to the same pool with a fixed priority. By default, pages and subscription lists are
    /// interactive, and feeds and monitored sources are background work.
    #[must_use]
    pub fn at_pace(&self, pace: Pace) -> Self {
        Self { pace: Some(pace), ..self.clone() }
    }

    /// Returns a handle to the same pool for the requests of one caller, which is an account or a network.
    /// Callers get children in rotation, regardless of how many requests of each caller are waiting.
    #[must_use]
    pub fn for_caller(&self, caller: Option<String>) -> Self {
        Self { caller: caller.map(Arc::from), ..self.clone() }
    }

    /// Extracts a source in a child, after waiting for a free child. Dropping the future kills the child.
    pub async fn extract(&self, input: Input) -> Result<ExtractionOutcome, SandboxError> {
        self.request(ChildRequest::Page(input)).await
    }

    /// Reads the elements of a page that a CSS selector matches, in a child, as [`extract`](Self::extract)
    /// does.
    pub async fn extract_selected(
        &self,
        input: Input,
        selector: String,
    ) -> Result<ExtractionOutcome, SandboxError> {
        self.request(ChildRequest::Selected(input, selector)).await
    }

    /// Reads a feed in a child, as [`extract`](Self::extract) does.
    pub async fn read_feed(&self, input: FeedInput) -> Result<ParsedFeed, SandboxError> {
        self.request(ChildRequest::Feed(Box::new(input))).await
    }

    /// Observes a monitored source in a child, as [`extract`](Self::extract) does. The inner error concerns
    /// the source, and the outer error concerns the process.
    pub async fn observe(
        &self,
        input: ObserveInput,
    ) -> Result<Result<Observation, ObserveError>, SandboxError> {
        self.request(ChildRequest::Watch(Box::new(input))).await
    }

    /// Finds the feeds to which a page links, in a child. Relative URLs are resolved against the URL of the
    /// page.
    pub async fn find_feeds(&self, page: Input) -> Result<Vec<FeedCandidate>, SandboxError> {
        self.request(ChildRequest::Feeds(page)).await
    }

    /// Finds the list on a page that may be watched for new items, in a child. `None` if the page has no such
    /// list.
    pub async fn find_list(&self, page: Input) -> Result<Option<PageList>, SandboxError> {
        self.request(ChildRequest::List(page)).await
    }

    /// Finds the selectors of the marked parts of a rendered page, in a child. The inner error concerns the page, and
    /// the outer error concerns the process.
    pub async fn part_selectors(
        &self,
        page: Input,
    ) -> Result<Result<Vec<PartSelector>, ObserveError>, SandboxError> {
        self.request(ChildRequest::Parts(page)).await
    }

    /// Reads a list of subscriptions (OPML) in a child. `None` if the body is not such a list.
    pub async fn read_outlines(&self, body: Vec<u8>) -> Result<Option<Vec<Outline>>, SandboxError> {
        self.request(ChildRequest::Outlines(body)).await
    }

    /// Parses a list of monitors that another program exported, in a child. `None` if the file is not such a
    /// list.
    pub async fn read_monitors(&self, file: Vec<u8>) -> Result<Option<MonitorList>, SandboxError> {
        self.request(ChildRequest::Monitors(file)).await
    }

    /// Reads a received message in a child.
    pub async fn read_mail(&self, message: Vec<u8>) -> Result<MailMessage, SandboxError> {
        self.request(ChildRequest::Mail(message)).await
    }

    /// Reads a file of a received message in a child. `None` if the message has no file with this number.
    pub async fn read_mail_file(
        &self,
        message: Vec<u8>,
        number: u32,
    ) -> Result<Option<MailFileContent>, SandboxError> {
        self.request(ChildRequest::MailFile(message, number)).await
    }

    /// Creates a self-contained copy of a rendered page, in a child. The inner error concerns the page: it exceeds a
    /// limit.
    pub async fn copy_page(&self, source: PageSource) -> Result<Result<HtmlCopy, String>, SandboxError> {
        self.request(ChildRequest::PageCopy(Box::new(source))).await
    }

    /// Creates a smaller version of a picture, in a child. `None` if there is no smaller version.
    pub async fn reduce_picture(&self, input: PictureInput) -> Result<Option<SmallerPicture>, SandboxError> {
        self.request(ChildRequest::SmallerPicture(input)).await
    }

    /// Starts a child for a file. It is not counted in the number of children. `request` is passed as the
    /// last argument of the program.
    ///
    /// # Errors
    /// Returns [`FileChildError::Start`] if the child cannot be started.
    pub async fn start_file_child(&self, file: File, request: &str) -> Result<FileChild, FileChildError> {
        let settings = &self.inner.settings;
        let mut args = settings.file_args.clone();
        args.extend([settings.memory_bytes.to_string(), request.to_owned()]);
        let (child, missing) = FileChild::start(&settings.program, &args, file).await?;
        self.warn_of_missing(&missing);
        Ok(child)
    }

    #[tracing::instrument(level = "debug", name = "extract", skip_all)]
    async fn request<T: ChildResult>(&self, question: ChildRequest) -> Result<T, SandboxError> {
        let pace = self.pace.unwrap_or(question.pace());
        let key = self.caller.as_ref().map_or_else(|| question.site(), |caller| (**caller).to_owned());
        let permit = self.inner.semaphore.acquire(pace, &key).await;
        let _permit = permit.ok_or_else(|| SandboxError::Spawn("the pool is shut down".to_owned()))?;
        let mut worker = self.worker(self.child_pace(pace)).await?;
        let time_limit = self.inner.settings.time_limit(worker.pace);
        match timeout(time_limit, worker.request(question)).await {
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

    /// Refuses new requests, waits for the accepted requests, and stops all children.
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

    /// Priority of the child for a request. A single child reads all pages at one priority, because it would
    /// otherwise be replaced whenever the priority changes.
    fn child_pace(&self, pace: Pace) -> Pace {
        if self.inner.settings.workers > 1 { pace } else { Pace::Interactive }
    }

    /// Returns an idle child of this priority that is running, or starts a new child.
    async fn worker(&self, pace: Pace) -> Result<Worker, SandboxError> {
        while let Some(mut worker) = self.take_idle(pace) {
            if matches!(worker.process.child.try_wait(), Ok(None)) {
                return Ok(worker);
            }
        }
        self.stop_surplus();
        let (worker, missing) = Worker::start(&self.inner.settings, pace).await?;
        self.warn_of_missing(&missing);
        Ok(worker)
    }

    /// Removes the most recently used idle child of this priority.
    fn take_idle(&self, pace: Pace) -> Option<Worker> {
        let mut idle = self.idle();
        let index = idle.iter().rposition(|worker| worker.pace == pace)?;
        Some(idle.remove(index))
    }

    /// Stops idle children, the least recently used first, so that the number of children does not exceed the
    /// maximum when a child is started.
    fn stop_surplus(&self) {
        let stopped: Vec<Worker> = {
            let mut idle = self.idle();
            let count = surplus(idle.len(), self.usage());
            idle.drain(..count).collect()
        };
        for worker in stopped {
            tokio::spawn(worker.exit());
        }
    }

    /// Logs the sandbox features that the kernel does not support, the first time that they are reported.
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
        if worker.pages < self.inner.settings.recycle_after && !worker.has_read_large_page {
            self.idle().push(worker);
        } else {
            // The standard input of the child is closed. The child exits while the next child starts.
            tokio::spawn(worker.exit());
        }
    }
}

/// Number of idle children that must stop so that each busy request can have a child.
fn surplus(idle: usize, usage: SandboxUsage) -> usize {
    idle.saturating_sub(usage.max.saturating_sub(usage.busy))
}

impl Worker {
    /// Starts a child and waits until it is ready. Also returns the sandbox features that the kernel does not
    /// support.
    async fn start(settings: &PoolSettings, pace: Pace) -> Result<(Self, Vec<String>), SandboxError> {
        let spawned = ChildProcess::spawn(&settings.program, &settings.args, Stdio::piped());
        let (mut process, stdout) = spawned.map_err(|error| SandboxError::Spawn(error.to_string()))?;
        let Some(stdin) = process.child.stdin.take() else {
            return Err(SandboxError::Spawn("the child has no pipes".to_owned()));
        };
        widen(&stdin);
        let mut worker = Self { process, stdin, stdout, pace, pages: 0, has_read_large_page: false };
        let wall_ms = u64::try_from(settings.time_limit(pace).as_millis()).unwrap_or(u64::MAX);
        let hello = Hello { memory_bytes: settings.memory_bytes, wall_ms, nice: nice_value(pace) };
        match timeout(START_TIME, worker.greet(&hello)).await {
            Ok(Ok(missing)) => Ok((worker, missing)),
            Ok(Err(error)) => {
                let words = worker.process.last_words().await;
                Err(SandboxError::Spawn(format!("{error}: {words}")))
            }
            Err(_) => Err(SandboxError::Spawn("the child did not become ready".to_owned())),
        }
    }

    /// Sends the limits to a child and waits until it is ready. Returns the sandbox features that the kernel
    /// does not support.
    async fn greet(&mut self, hello: &Hello) -> std::io::Result<Vec<String>> {
        frame::write(&mut self.stdin, &[&frame::hello_bytes(hello)]).await?;
        frame::read(&mut self.stdout).await.map(|ready| frame::missing(&ready))
    }

    async fn request<T: ChildResult>(&mut self, question: ChildRequest) -> Result<T, ()> {
        self.has_read_large_page |= question.has_many_pixels();
        let (head, body) = question.parts();
        self.has_read_large_page |= body.len() > LARGE_PAGE_BYTES;
        frame::write(&mut self.stdin, &[&head, &body]).await.map_err(drop)?;
        drop((head, body));
        let answer = frame::read(&mut self.stdout).await.map_err(drop)?;
        match frame::answer(answer).await {
            Some(ChildAnswer::Completed(result)) => Ok(*result),
            Some(ChildAnswer::Panicked) | None => Err(()),
        }
    }

    /// Reason why the child exited, derived from the last bytes of its standard error.
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
