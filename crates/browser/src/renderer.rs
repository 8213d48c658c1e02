//! Renderer: starts a browser when a page needs it, bounds concurrent pages, and replaces a browser that is old,
//! large, or broken.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use fetch::{Fetcher, PageLimits, PageProxy};
use futures_util::future::{BoxFuture, FutureExt};
use permits::FairSemaphore;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout_at};

use crate::error::RenderError;
use crate::memory;
use crate::page::{self, Loaded, PageRendering, RenderRequest};
use crate::pipe::Pipe;
use crate::process::{Process, ProcessOptions};

/// Number of pages after which a browser is replaced.
const MAX_PAGES: u32 = 100;
/// Time for the browser's first response.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// Time after a failed start in which no other start is attempted.
const RETRY_PAUSE: Duration = Duration::from_secs(30);
/// Time in addition to the deadline of a page, for the start of the browser and a second attempt. After it, the
/// browser counts as broken.
const OVERTIME: Duration = Duration::from_secs(12);
/// Part of [`OVERTIME`] that an attempt needs in addition to its deadline.
const ATTEMPT_OVERHEAD: Duration = Duration::from_secs(8);
/// Shortest deadline of a second attempt.
const MIN_DEADLINE: Duration = Duration::from_secs(3);
/// Interval at which the memory of a browser is measured.
const MEMORY_INTERVAL: Duration = Duration::from_millis(500);
/// Time without pages after which a browser is stopped.
const IDLE_TIME: Duration = Duration::from_mins(2);

#[derive(Debug, Clone)]
pub struct RendererSettings {
    pub program: PathBuf,
    /// Maximum number of pages that are loaded at the same time. If it is greater than 1, a single caller can load at
    /// most all but one of them.
    pub max_pages: usize,
    /// Memory of the whole browser above which it is replaced when its current pages are done, in bytes.
    pub replace_bytes: u64,
    /// Memory of the whole browser above which it is killed, in bytes.
    pub max_bytes: u64,
    /// Maximum data segment of each process, in bytes.
    pub max_process_bytes: u64,
    /// Limits of the traffic of one page.
    pub page: PageLimits,
}

impl RendererSettings {
    /// Creates the default settings for a program.
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            max_pages: 2,
            replace_bytes: 600 << 20,
            max_bytes: 1_200 << 20,
            max_process_bytes: 1 << 30,
            page: PageLimits::default(),
        }
    }
}

/// Handle to the renderer of this process. Cheap to clone; clones share one browser.
#[derive(Clone)]
pub struct Renderer {
    parts: Arc<RendererParts>,
}

struct RendererParts {
    settings: RendererSettings,
    fetcher: Fetcher,
    permits: Arc<FairSemaphore>,
    current: Mutex<Current>,
}

/// Browser for the next page, and the last failed start.
#[derive(Default)]
struct Current {
    browser: Option<Arc<Browser>>,
    failure: Option<(Instant, RenderError)>,
}

/// Running browser. It is stopped after its last page when it is no longer current.
struct Browser {
    pipe: Pipe,
    proxy: PageProxy,
    process: Arc<std::sync::Mutex<Option<Process>>>,
    /// Pages that were started.
    pages: AtomicU32,
    /// Pages that are being loaded.
    loading: AtomicU32,
    /// True if no further page is loaded.
    is_retired: AtomicBool,
}

/// Page that is being loaded. If it is dropped before it is removed, the browser is retired.
struct LoadingPage<'a> {
    browser: &'a Browser,
    is_removed: bool,
}

/// Page that a gauge counts until it is dropped.
struct CountedPage(metrics::Gauge);

impl CountedPage {
    fn start(gauge: metrics::Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for CountedPage {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

impl Renderer {
    /// Creates a renderer without starting a browser. All requests of pages pass the guard of `fetcher`.
    pub fn new(settings: RendererSettings, fetcher: Fetcher) -> Self {
        let permits = FairSemaphore::reserving_one(settings.max_pages.min(64));
        Self { parts: Arc::new(RendererParts { settings, fetcher, permits, current: Mutex::default() }) }
    }

    pub fn program(&self) -> &Path {
        &self.parts.settings.program
    }

    /// Renders a page. Callers are served in rotation, regardless of how many pages of each are waiting. If the browser
    /// exits during the load, another page may be the cause, so there is a second attempt in the remaining time. If it
    /// exits again, this page counts as the cause.
    ///
    /// # Errors
    /// See [`RenderError`].
    pub fn render<'a>(
        &'a self,
        request: &'a RenderRequest,
    ) -> BoxFuture<'a, Result<PageRendering, RenderError>> {
        async move {
            let closed = || RenderError::Browser { reason: "it is shut down".to_owned() };
            let caller = request.caller.as_deref().unwrap_or_default();
            let waiting = CountedPage::start(metrics::gauge!("carrel_render_waiting"));
            let permit = self.parts.permits.acquire(request.pace, caller).await;
            drop(waiting);
            let _permit = permit.ok_or_else(closed)?;
            let _running = CountedPage::start(metrics::gauge!("carrel_render_running"));
            let began = Instant::now();
            let until = began + request.deadline + OVERTIME;
            let mut rendered = self.parts.attempt(request, until).await;
            let left = until.saturating_duration_since(Instant::now()).saturating_sub(ATTEMPT_OVERHEAD);
            if left >= MIN_DEADLINE && matches!(rendered, Err(RenderError::BrowserLost)) {
                let again = RenderRequest { deadline: left.min(request.deadline), ..request.clone() };
                rendered = self.parts.attempt(&again, until).await;
                if matches!(rendered, Err(RenderError::BrowserLost)) {
                    rendered = Err(RenderError::Crashed);
                }
            }
            let outcome = rendered
                .as_ref()
                .map_or_else(RenderError::label, |page| if page.is_cut { "cut" } else { "ok" });
            metrics::counter!("carrel_render_total", "outcome" => outcome).increment(1);
            metrics::histogram!("carrel_render_seconds").record(began.elapsed().as_secs_f64());
            rendered
        }
        .boxed()
    }

    /// Starts the browser if it is not running, and returns its name and version.
    ///
    /// # Errors
    /// If the browser cannot be started.
    pub async fn version(&self) -> Result<String, RenderError> {
        let browser = self.parts.browser().await?;
        let version = browser.pipe.call(None, "Browser.getVersion", json!({}), START_TIMEOUT).await?;
        Ok(version.get("product").and_then(Value::as_str).unwrap_or("unknown").to_owned())
    }

    /// Refuses further pages, and stops the browser after those that were accepted.
    pub async fn shutdown(&self) {
        self.parts.permits.close().await;
        let current = self.parts.current.lock().await.browser.take();
        if let Some(browser) = current {
            browser.stop().await;
        }
    }
}

impl RendererParts {
    async fn attempt(&self, request: &RenderRequest, until: Instant) -> Result<PageRendering, RenderError> {
        let slow = |_| RenderError::Browser { reason: "it starts too slowly".to_owned() };
        let browser = timeout_at(until, self.browser()).await.map_err(slow)??;
        let unadmitted = |error: fetch::SetupError| RenderError::Browser { reason: error.to_string() };
        let access = browser.proxy.admit(self.settings.page).map_err(unadmitted)?;
        let mut page = LoadingPage::start(&browser);
        let loading = page::load(&browser.pipe, &self.fetcher, access, request);
        let unresponsive = || Err(RenderError::Unresponsive { limit: request.deadline });
        let loaded = timeout_at(until, loading).await;
        let Loaded { rendered, is_removed } =
            loaded.unwrap_or_else(|_| Loaded { rendered: unresponsive(), is_removed: false });
        page.is_removed = is_removed && browser.private_bytes() <= self.settings.replace_bytes;
        rendered
    }

    /// Returns the current browser. If it is old, large, or broken, starts a new one.
    async fn browser(&self) -> Result<Arc<Browser>, RenderError> {
        let mut current = self.current.lock().await;
        if let Some(browser) = current.browser.as_ref().filter(|browser| browser.is_usable()) {
            return Ok(Arc::clone(browser));
        }
        if let Some((at, error)) = current.failure.as_ref().filter(|(at, _)| at.elapsed() < RETRY_PAUSE) {
            tracing::debug!(seconds = at.elapsed().as_secs(), "the browser did not start, waiting");
            return Err(error.clone());
        }
        if let Some(old) = current.browser.take() {
            metrics::counter!("carrel_renderer_restarts_total").increment(1);
            tokio::spawn(stop_when_unused(old));
        }
        let started = Browser::start(&self.settings, &self.fetcher).await;
        let browser = Arc::new(started.inspect_err(|error| {
            tracing::warn!(%error, "the browser does not start; `carrel check` says more");
            current.failure = Some((Instant::now(), error.clone()));
        })?);
        tokio::spawn(watch(Arc::downgrade(&browser), self.settings.max_bytes));
        current.browser = Some(Arc::clone(&browser));
        Ok(browser)
    }
}

impl<'a> LoadingPage<'a> {
    fn start(browser: &'a Browser) -> Self {
        browser.pages.fetch_add(1, Ordering::Relaxed);
        browser.loading.fetch_add(1, Ordering::Relaxed);
        Self { browser, is_removed: false }
    }
}

impl Drop for LoadingPage<'_> {
    fn drop(&mut self) {
        if !self.is_removed {
            self.browser.is_retired.store(true, Ordering::Relaxed);
        }
        self.browser.loading.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Browser {
    async fn start(settings: &RendererSettings, fetcher: &Fetcher) -> Result<Self, RenderError> {
        let failed = |error: std::io::Error| RenderError::Browser { reason: error.to_string() };
        let proxy = fetcher.page_proxy().await.map_err(failed)?;
        let user_agent = format!("{} CarrelRenderer/1", fetcher.settings().user_agent);
        let options = ProcessOptions {
            program: &settings.program,
            proxy: proxy.address(),
            user_agent: &user_agent,
            max_process_bytes: settings.max_process_bytes,
        };
        let (process, commands, responses) = Process::start(&options).map_err(failed)?;
        let browser = Self {
            pipe: Pipe::connect(commands, responses),
            proxy,
            process: Arc::new(std::sync::Mutex::new(Some(process))),
            pages: AtomicU32::new(0),
            loading: AtomicU32::new(0),
            is_retired: AtomicBool::new(false),
        };
        let discover = json!({ "discover": true, "filter": [{ "type": "page" }] });
        let started = browser.pipe.call(None, "Target.setDiscoverTargets", discover, START_TIMEOUT).await;
        match started {
            Ok(_) => Ok(browser),
            Err(error) => {
                browser.stop().await;
                let reason = format!("{} does not start: {error}", settings.program.display());
                Err(RenderError::Browser { reason })
            }
        }
    }

    fn is_usable(&self) -> bool {
        !self.pipe.is_closed()
            && !self.is_retired.load(Ordering::Relaxed)
            && self.pages.load(Ordering::Relaxed) < MAX_PAGES
    }

    fn private_bytes(&self) -> u64 {
        self.with_process(|process| memory::private_bytes_of_group(process.group())).unwrap_or(0)
    }

    fn with_process<T>(&self, work: impl FnOnce(&Process) -> T) -> Option<T> {
        let process = self.process.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        process.as_ref().map(work)
    }

    /// Stops the processes and waits until all have exited.
    async fn stop(&self) {
        let process = self.process.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let Some(mut process) = process else { return };
        self.pipe.send(None, "Browser.close", json!({})).await;
        process.stop().await;
    }
}

/// Stops a browser after its last page.
async fn stop_when_unused(browser: Arc<Browser>) {
    let mut checks = interval(MEMORY_INTERVAL);
    while Arc::strong_count(&browser) > 1 && !browser.pipe.is_closed() {
        checks.tick().await;
    }
    browser.stop().await;
}

/// Kills a browser that uses too much memory, and stops one that is not used.
async fn watch(browser: std::sync::Weak<Browser>, max_bytes: u64) {
    let mut checks = interval(MEMORY_INTERVAL);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut pages, mut since) = (0, Instant::now());
    loop {
        checks.tick().await;
        let Some(browser) = browser.upgrade() else { return };
        if browser.pipe.is_closed() {
            return;
        }
        let bytes = browser.private_bytes();
        if bytes > max_bytes {
            tracing::warn!(bytes, "browser killed because of its memory");
            browser.is_retired.store(true, Ordering::Relaxed);
            browser.with_process(Process::kill);
        }
        if browser.is_retired.load(Ordering::Relaxed) && browser.loading.load(Ordering::Relaxed) == 0 {
            // A page that was not removed may still be running.
            browser.stop().await;
            return;
        }
        let now = browser.pages.load(Ordering::Relaxed);
        if now != pages {
            (pages, since) = (now, Instant::now());
        } else if since.elapsed() > IDLE_TIME {
            // The next page starts another browser.
            browser.is_retired.store(true, Ordering::Relaxed);
            browser.stop().await;
            return;
        }
    }
}
