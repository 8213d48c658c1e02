//! Loads one page in a fresh browser context, waits until its text is stable, and returns its document.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use data_encoding::BASE64;
use fetch::{Fetcher, PageAccess, StoredCookies};
use permits::Pace;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::error::RenderError;
use crate::events::{EventHandler, PageState, is_web, page_setup};
use crate::loaded_files::{CapturedPage, LoadedFile, MAX_FILE_BYTES, MAX_TOTAL_BYTES, PageFile};
use crate::notice_dismissal::NoticeDismissal;
use crate::page_cookies;
use crate::page_picture::{PageLayout, PagePicture, PartLimits, QUALITY, SCALE};
use crate::page_step::{PageStep, StepKind};
use crate::pipe::{COMMAND_TIMEOUT, CommandError, Pipe};
use crate::rendering_warning::RenderingWarning;
use crate::request_settings::{OwnOrigin, PageRequestSettings};
use crate::secret_mask::SecretMask;

mod notices;
mod steps;

/// Maximum length of the serialised document, in UTF-16 code units.
const MAX_HTML_UNITS: usize = 8 << 20;
/// Interval between two probes of the text.
const PROBE_INTERVAL: Duration = Duration::from_millis(150);
/// Time without a change after which a text is stable.
const STABLE_TIME: Duration = Duration::from_millis(500);
/// Time without a change after which a text is stable although the network is busy.
const BUSY_STABLE_TIME: Duration = Duration::from_secs(3);
/// A document with fewer characters counts as empty if it navigates to a document that is refused.
const EMPTY_TEXT: u64 = 60;
/// Text lengths in characters below which more text is awaited, each with the maximum duration of the wait.
const AWAITED: [(u64, Duration); 2] =
    [(EMPTY_TEXT, Duration::from_secs(5)), (250, Duration::from_millis(1500))];
/// Maximum time to wait for the element of a step.
const STEP_TIMEOUT: Duration = Duration::from_secs(8);
/// Maximum number of characters of the reason why a step is impossible.
const MAX_REASON_CHARS: usize = 200;
/// Time that is reserved to dismiss notices on a page whose text never becomes stable.
const NOTICE_RESERVE: Duration = Duration::from_secs(4);
/// Maximum wait for text that appears after scrolling to the end.
const SCROLL_TIME: Duration = Duration::from_secs(3);
/// Maximum time to serialise a document.
const SERIALIZE_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum height of a screenshot, in pixels.
pub const MAX_SCREENSHOT_HEIGHT: u32 = 16_000;
/// Width of a page, in pixels.
const WIDTH: u32 = 1280;
/// Height of the window of a page, in pixels.
const HEIGHT: u32 = 900;
/// Maximum time for a screenshot or a PDF file.
const CAPTURE_TIMEOUT: Duration = Duration::from_secs(10);
/// Name of the script world that the page cannot see.
const WORLD: &str = "carrel";

const PROBE: &str = include_str!("page/probe.js");
const PARTS: &str = include_str!("page/parts.js");
const REGION: &str = include_str!("page/region.js");
const SERIALIZE: &str = include_str!("page/serialize.js");
const SCROLL: &str = "() => { window.scrollTo(0, document.documentElement.scrollHeight); return '{}'; }";

/// Page to render.
#[derive(Debug, Clone)]
pub struct RenderRequest {
    pub url: String,
    /// Time after which the document is returned even if its text is not stable.
    pub deadline: Duration,
    pub captures: Captures,
    /// Part of the page that the screenshot shows.
    pub area: ScreenshotArea,
    /// Limits of the parts of the page. If set, the document contains the numbers of the parts, and a picture
    /// of them is created. `None` if no parts are requested.
    pub parts: Option<PartLimits>,
    /// CSS selector of an element. The page is read when an element matches.
    pub wait_for: Option<String>,
    /// Steps to perform before the document is read, in order.
    pub steps: Vec<PageStep>,
    /// Headers, credentials, and cookies of the requests of the page.
    pub settings: PageRequestSettings,
    /// True to dismiss cookie notices, before the steps and before the document is read.
    pub dismiss_cookie_notices: bool,
    /// Priority among the pages that wait.
    pub pace: Pace,
    /// Account or network for which the page is rendered.
    pub caller: Option<String>,
}

/// Files of a rendered page that are created in addition to its document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Captures {
    /// Picture of the page from its beginning to its end. Causes pictures and fonts to be loaded.
    pub screenshot: bool,
    /// Printed version of the page. Causes pictures and fonts to be loaded.
    pub pdf: bool,
    /// Document as displayed, and the style sheets, pictures, and fonts that it loaded.
    pub page: bool,
}

impl Captures {
    /// True if pictures and fonts are loaded.
    pub(crate) fn shows_pictures(self) -> bool {
        self.screenshot || self.pdf || self.page
    }
}

impl RenderRequest {
    /// True if pictures and fonts are loaded.
    fn shows_pictures(&self) -> bool {
        self.captures.shows_pictures() || self.parts.is_some()
    }

    /// Creates a request for the document of a page, without files.
    pub fn page(url: impl Into<String>, deadline: Duration) -> Self {
        Self {
            url: url.into(),
            deadline,
            captures: Captures::default(),
            area: ScreenshotArea::default(),
            parts: None,
            wait_for: None,
            steps: Vec::new(),
            settings: PageRequestSettings::default(),
            dismiss_cookie_notices: false,
            pace: Pace::Interactive,
            caller: None,
        }
    }
}

/// Part of a page that a screenshot shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenshotArea {
    /// CSS selector of an element. `None` for the whole page.
    pub selector: Option<String>,
    /// Maximum height in pixels.
    pub max_height: u32,
}

impl Default for ScreenshotArea {
    fn default() -> Self {
        Self { selector: None, max_height: MAX_SCREENSHOT_HEIGHT }
    }
}

/// Rendered page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRendering {
    /// URL of the document after redirects and changes by scripts, without a fragment.
    pub url: fetch::Url,
    /// HTTP status of the document.
    pub status: u16,
    /// Document without scripts, with shadow roots and frames of the same origin inlined.
    pub html: String,
    /// True if text may be missing: the deadline or a limit was reached.
    pub is_cut: bool,
    pub captured: CapturedFiles,
    /// Cookies for the next page, if the request has cookies.
    pub cookies: Option<StoredCookies>,
    /// Dismissed notices, skipped steps, and lists that were cut.
    pub warnings: Vec<RenderingWarning>,
}

/// Files of a rendered page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CapturedFiles {
    /// Screenshot in PNG, if it was requested.
    pub screenshot: Option<Vec<u8>>,
    /// True if the area is taller than its maximum and the screenshot shows only its beginning.
    pub is_screenshot_cut: bool,
    /// PDF file, if it was requested.
    pub pdf: Option<Vec<u8>>,
    /// Document with its files, if it was requested.
    pub page: Option<CapturedPage>,
    /// Picture of the parts of the page, if they were requested.
    pub parts: Option<PagePicture>,
}

/// State of a page, as the probe script returns it.
#[derive(Deserialize)]
struct Probe {
    complete: bool,
    text: u64,
}

/// Part of the page, in pixels.
#[derive(Deserialize)]
struct Region {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Document, as the serialization script returns it.
#[derive(Deserialize)]
struct SerializedDocument {
    url: String,
    base: String,
    html: String,
    cut: bool,
    /// Parts of the page, if they were requested.
    parts: Option<PageLayout>,
}

/// Purpose of a serialised document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DocumentPurpose {
    /// Extraction of its text.
    Text,
    /// Extraction of its parts, whose elements have numbers.
    Parts(PartLimits),
    /// Display in a copy.
    Display,
}

impl From<CommandError> for RenderError {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Closed => Self::BrowserLost,
            CommandError::TimedOut => Self::Browser { reason: "it does not respond".to_owned() },
            CommandError::Refused(reason) => Self::Browser { reason },
        }
    }
}

/// Result of a load.
pub(crate) struct Loaded {
    pub(crate) rendered: Result<PageRendering, RenderError>,
    /// True if the page's context was removed from the browser.
    pub(crate) is_removed: bool,
}

/// Loads a page in a separate browser context, which is removed afterwards.
pub(crate) async fn load(
    pipe: &Pipe,
    fetcher: &Fetcher,
    access: PageAccess,
    request: &RenderRequest,
) -> Loaded {
    let context = match pipe.call(None, "Target.createBrowserContext", json!({}), COMMAND_TIMEOUT).await {
        Ok(created) => string(&created, "browserContextId"),
        Err(error) => return Loaded { rendered: Err(error.into()), is_removed: false },
    };
    let rendered = load_in(pipe, fetcher, access, (&context, request)).await;
    let params = json!({ "browserContextId": context });
    let disposed = pipe.call(None, "Target.disposeBrowserContext", params, COMMAND_TIMEOUT).await;
    Loaded { rendered, is_removed: disposed.is_ok() }
}

async fn load_in(
    pipe: &Pipe,
    fetcher: &Fetcher,
    access: PageAccess,
    (context, request): (&str, &RenderRequest),
) -> Result<PageRendering, RenderError> {
    let until = Instant::now() + request.deadline;
    let (subscriber, events) = pipe.events(context);
    let denied = json!({ "behavior": "deny", "browserContextId": context });
    pipe.send(None, "Browser.setDownloadBehavior", denied).await;
    pipe.send(None, "Browser.grantPermissions", json!({ "permissions": [], "browserContextId": context }))
        .await;
    let blank = json!({ "url": "about:blank", "browserContextId": context });
    let target = string(&pipe.call(None, "Target.createTarget", blank, COMMAND_TIMEOUT).await?, "targetId");
    let attach = json!({ "targetId": target, "flatten": true });
    let attached = pipe.call(None, "Target.attachToTarget", attach, COMMAND_TIMEOUT).await?;
    let session = string(&attached, "sessionId");
    subscriber.subscribe(&session);
    let state = Arc::new(Mutex::new(PageState::of_main_frame(&target)));
    // Cookies of credentials were entered for one origin. Stored cookies were set by the host, for all of its ports.
    if !request.settings.own_cookies().is_empty()
        && let Ok(url) = fetch::Url::parse(&request.url)
    {
        access.refuse_other_ports(&url);
    }
    let access = Arc::new(access);
    let handler = EventHandler {
        pipe: pipe.clone(),
        subscriber,
        fetcher: fetcher.clone(),
        access: Arc::clone(&access),
        shows_pictures: request.shows_pictures(),
        own: OwnOrigin::of(&request.url, &request.settings),
        target: target.clone(),
        state: Arc::clone(&state),
    };
    let (session, frame) = (session.as_str(), target.as_str());
    let page = PageLoad { pipe, fetcher, access: &access, context, session, frame, state: &state, until };
    let handling = tokio::spawn(handler.run(events));
    let rendered = page.render(request).await;
    handling.abort();
    rendered
}

/// Page that is being loaded.
struct PageLoad<'a> {
    pipe: &'a Pipe,
    fetcher: &'a Fetcher,
    access: &'a PageAccess,
    /// Browser context of the page.
    context: &'a str,
    session: &'a str,
    frame: &'a str,
    state: &'a Mutex<PageState>,
    until: Instant,
}

impl PageLoad<'_> {
    async fn render(&self, request: &RenderRequest) -> Result<PageRendering, RenderError> {
        self.prepare(request).await?;
        let loaded = self.navigate(&request.url).await?;
        let has_steps = request.wait_for.is_some() || !request.steps.is_empty();
        let is_settled = loaded && self.settle(self.first_deadline(request, has_steps), &AWAITED).await?;
        let was_refused = self.refusal().is_some();
        let mut notices = NoticeDismissal::default();
        if loaded && request.dismiss_cookie_notices {
            self.dismiss_cookie_notices(&mut notices).await?;
        }
        let mut warnings = self.interact(request).await?;
        let is_complete = loaded && (is_settled || has_steps) && {
            // Scrolling would move the pointer away from the element below it.
            if !request.steps.iter().any(|step| step.kind == StepKind::Hover) {
                self.evaluate(SCROLL, self.left()).await.ok();
            }
            // Text that needs more time would also appear after further scrolls.
            let is_stable = self.settle(self.until.min(Instant::now() + SCROLL_TIME), &[]).await?;
            is_stable || !self.left().is_zero()
        };
        // If a step leads to a refused page, the browser still displays the previous page, which is not the result of
        // the steps.
        if let Some(refusal) = self.refusal().filter(|_| has_steps && !was_refused) {
            return Err(RenderError::Refused(refusal));
        }
        if loaded && request.dismiss_cookie_notices {
            self.dismiss_cookie_notices(&mut notices).await?;
        }
        warnings.extend(notices.warnings);
        let purpose = request.parts.map_or(DocumentPurpose::Text, DocumentPurpose::Parts);
        let mut document = self.serialize(purpose, request.deadline).await?;
        let mask = SecretMask::of(&request.steps).with(request.settings.secret_texts());
        document.html = masked(document.html, mask.clone()).await?;
        let mut captured = self.capture(request).await?;
        if let Some((limits, layout)) = request.parts.zip(document.parts.take()) {
            captured.parts = Some(self.capture_parts(limits, layout).await?);
        }
        let cookies = page_cookies::read(self.pipe, self.context, (&request.url, &request.settings)).await?;
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((status, address)) = &state.response else {
            return Err(RenderError::Load { reason: "it sent no document".to_owned() });
        };
        let url = mask.mask_url(self.final_url(&document.url, address)?);
        let is_cut = !is_complete || document.cut || state.is_cut || self.access.traffic().is_cut;
        Ok(PageRendering { url, status: *status, html: document.html, is_cut, captured, cookies, warnings })
    }

    /// Applies the rules of pages, and sets the size of the window.
    async fn prepare(&self, request: &RenderRequest) -> Result<(), RenderError> {
        for (method, params) in page_setup(request.settings.user_agent.as_deref()) {
            self.pipe.call(Some(self.session), method, params, COMMAND_TIMEOUT).await?;
        }
        let window = json!({ "width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": false });
        for (method, params) in [
            ("Network.enable", network_buffers(request.captures)),
            ("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
            ("Emulation.setDeviceMetricsOverride", window),
        ] {
            self.pipe.call(Some(self.session), method, params, COMMAND_TIMEOUT).await?;
        }
        if request.captures.screenshot || request.parts.is_some() {
            // Animations would make screenshots of the same page differ.
            let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
            self.pipe.send(Some(self.session), "Emulation.setEmulatedMedia", still).await;
        }
        page_cookies::set(self.pipe, self.context, (&request.url, &request.settings)).await?;
        Ok(())
    }

    /// Deadline of the wait for the first text of the page. It leaves time for steps and notices, even on a page whose
    /// text never becomes stable.
    fn first_deadline(&self, request: &RenderRequest, has_steps: bool) -> Instant {
        if has_steps {
            self.until.min(Instant::now() + STEP_TIMEOUT)
        } else if request.dismiss_cookie_notices {
            self.until.checked_sub(NOTICE_RESERVE).unwrap_or(self.until)
        } else {
            self.until
        }
    }

    /// URL of the document, without a fragment. If scripts have changed it to a URL that is too long or contains user
    /// info, returns the URL of the response instead.
    fn final_url(&self, current: &str, of_response: &str) -> Result<fetch::Url, RenderError> {
        let without_fragment = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
        let current = without_fragment(current);
        if !is_web(&current) {
            return Err(RenderError::Load { reason: "it replaced itself by another document".to_owned() });
        }
        let unusable = |_| RenderError::Load { reason: "its address is not valid".to_owned() };
        let checked = self.fetcher.check_page_url(&current);
        checked.or_else(|_| self.fetcher.check_page_url(&without_fragment(of_response))).map_err(unusable)
    }

    /// Starts the navigation. Returns false if the deadline passed before the document arrived.
    async fn navigate(&self, url: &str) -> Result<bool, RenderError> {
        let started = self.call("Page.navigate", json!({ "url": url }), self.left()).await;
        let has_document = self.state.lock().unwrap_or_else(PoisonError::into_inner).response.is_some();
        if !has_document && let Some(refusal) = self.refusal() {
            return Err(RenderError::Refused(refusal));
        }
        let started = match started {
            Err(CommandError::TimedOut) => return Ok(false),
            started => started?,
        };
        match started.get("errorText").and_then(Value::as_str) {
            None => Ok(true),
            Some(reason) => Err(RenderError::Load { reason: reason.chars().take(100).collect() }),
        }
    }

    /// Waits until the text is stable. Returns false if the deadline passed first.
    async fn settle(&self, until: Instant, awaited: &[(u64, Duration)]) -> Result<bool, RenderError> {
        let mut probes = interval(PROBE_INTERVAL);
        probes.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let began = Instant::now();
        let (mut text, mut since) = (u64::MAX, began);
        loop {
            probes.tick().await;
            let left = until.saturating_duration_since(Instant::now());
            let is_idle = {
                let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                if self.pipe.is_closed() {
                    return Err(RenderError::BrowserLost);
                }
                if state.is_crashed {
                    return Err(RenderError::Crashed);
                }
                state.is_network_idle()
            };
            if left.is_zero() {
                return Ok(false);
            }
            // A navigation removes the script's world. The next probe reads the new document.
            let Ok(probe) = self.evaluate(PROBE, left).await else { continue };
            let Ok(Probe { complete, text: now }) = serde_json::from_str(&probe) else { continue };
            if now < EMPTY_TEXT
                && let Some(refusal) = self.refusal()
            {
                return Err(RenderError::Refused(refusal));
            }
            if now != text {
                (text, since) = (now, Instant::now());
            }
            let is_awaited = awaited.iter().any(|(length, time)| now < *length && began.elapsed() < *time);
            let needed = if is_idle { STABLE_TIME } else { BUSY_STABLE_TIME };
            if complete && !is_awaited && since.elapsed() >= needed {
                return Ok(true);
            }
        }
    }

    /// Returns the document. If its scripts do not stop, they are terminated.
    async fn serialize(
        &self,
        purpose: DocumentPurpose,
        limit: Duration,
    ) -> Result<SerializedDocument, RenderError> {
        let parts = match purpose {
            DocumentPurpose::Parts(limits) => {
                format!("({PARTS})({}, {})", limits.max_count, limits.max_height)
            }
            DocumentPurpose::Text | DocumentPurpose::Display => "null".to_owned(),
        };
        let is_displayed = purpose == DocumentPurpose::Display;
        let script = format!("({SERIALIZE})({MAX_HTML_UNITS}, {is_displayed}, {parts})");
        let mut document = self.evaluate_expression(&script, SERIALIZE_TIMEOUT).await;
        if matches!(document, Err(CommandError::TimedOut)) {
            self.pipe.send(Some(self.session), "Runtime.terminateExecution", json!({})).await;
            document = self.evaluate_expression(&script, SERIALIZE_TIMEOUT).await;
        }
        let is_crashed = self.state.lock().unwrap_or_else(PoisonError::into_inner).is_crashed;
        match document {
            Ok(document) => {
                let parsed = tokio::task::spawn_blocking(move || serde_json::from_str(&document)).await;
                let invalid = || RenderError::Load { reason: "its document cannot be read".to_owned() };
                parsed.ok().and_then(Result::ok).ok_or_else(invalid)
            }
            Err(CommandError::Closed) => Err(RenderError::BrowserLost),
            Err(_) if is_crashed => Err(RenderError::Crashed),
            Err(CommandError::TimedOut) => Err(RenderError::Unresponsive { limit }),
            Err(CommandError::Refused(reason)) => Err(RenderError::Load { reason }),
        }
    }

    /// Creates the requested files.
    async fn capture(&self, request: &RenderRequest) -> Result<CapturedFiles, RenderError> {
        let RenderRequest { captures, area, deadline: limit, .. } = request;
        let limit = *limit;
        let mut captured = CapturedFiles::default();
        if captures.page {
            captured.page = Some(self.capture_page(limit).await?);
        }
        if captures.screenshot {
            let region = match &area.selector {
                Some(selector) => self.region(selector).await?,
                None => self.whole_page().await?,
            };
            let max_height = f64::from(area.max_height);
            captured.is_screenshot_cut = region.height > max_height;
            let Region { x, y, width, height } = region;
            let height = height.min(max_height);
            let clip = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
            let params = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
            captured.screenshot = Some(self.file("Page.captureScreenshot", params).await?);
        }
        if captures.pdf {
            let params = json!({ "printBackground": true, "preferCSSPageSize": true });
            captured.pdf = Some(self.file("Page.printToPDF", params).await?);
        }
        Ok(captured)
    }

    /// Returns the picture of the beginning of the page, with the positions of its parts.
    async fn capture_parts(
        &self,
        limits: PartLimits,
        layout: PageLayout,
    ) -> Result<PagePicture, RenderError> {
        let (width, height) = layout.size(WIDTH, limits);
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": SCALE });
        let params =
            json!({ "format": "jpeg", "quality": QUALITY, "captureBeyondViewport": true, "clip": clip });
        let jpeg = self.file("Page.captureScreenshot", params).await?;
        Ok(layout.with_picture(jpeg, (width, height), limits))
    }

    /// Returns the document as displayed, with the files that it loaded, within the limits of time and size.
    async fn capture_page(&self, limit: Duration) -> Result<CapturedPage, RenderError> {
        let document = self.serialize(DocumentPurpose::Display, limit).await?;
        let loaded = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut state.files)
        };
        let until = Instant::now() + CAPTURE_TIMEOUT;
        let (mut files, mut total, mut is_cut) = (Vec::new(), 0, document.cut);
        for file in loaded {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || total > MAX_TOTAL_BYTES {
                is_cut = true;
                break;
            }
            // If the browser has dropped a file, the copy lacks it and states that.
            let Some(bytes) = self.content(&file, left).await? else { continue };
            total += bytes.len();
            let LoadedFile { url, final_url, media_type, .. } = file;
            files.push(PageFile { url, final_url, media_type, bytes });
        }
        Ok(CapturedPage { base_url: document.base, html: document.html, files, is_cut })
    }

    /// Returns the content of a file that the page loaded. `None` if the browser no longer has it.
    async fn content(&self, file: &LoadedFile, limit: Duration) -> Result<Option<Vec<u8>>, RenderError> {
        let params = json!({ "requestId": file.request });
        let mut response = match self.call("Network.getResponseBody", params, limit).await {
            Ok(response) => response,
            Err(CommandError::Refused(_) | CommandError::TimedOut) => return Ok(None),
            Err(error @ CommandError::Closed) => return Err(error.into()),
        };
        let is_encoded = response.get("base64Encoded").and_then(Value::as_bool).unwrap_or_default();
        let Some(Value::String(body)) = response.get_mut("body").map(Value::take) else { return Ok(None) };
        if !is_encoded {
            return Ok(Some(body.into_bytes()));
        }
        let decoded = tokio::task::spawn_blocking(move || BASE64.decode(body.as_bytes()));
        Ok(decoded.await.ok().and_then(Result::ok))
    }

    async fn whole_page(&self) -> Result<Region, RenderError> {
        let metrics =
            self.call("Page.getLayoutMetrics", json!({}), CAPTURE_TIMEOUT).await.map_err(uncaptured)?;
        let height = metrics.pointer("/cssContentSize/height").and_then(Value::as_f64);
        let height = height.unwrap_or_default().max(1.0);
        Ok(Region { x: 0.0, y: 0.0, width: f64::from(WIDTH), height })
    }

    /// Returns the visible region of an element, which is at most as wide as the page.
    async fn region(&self, selector: &str) -> Result<Region, RenderError> {
        let script = format!("({REGION})({})", json!(selector));
        let position = self.evaluate_expression(&script, CAPTURE_TIMEOUT).await.map_err(uncaptured)?;
        if let Ok(region) = serde_json::from_str::<Region>(&position) {
            return Ok(Region { width: region.width.min(f64::from(WIDTH)), ..region });
        }
        let reason: Value = serde_json::from_str(&position).unwrap_or_default();
        match string(&reason, "reason") {
            absent if absent == "absent" => Err(RenderError::Absent),
            reason => Err(impossible("selector", &reason)),
        }
    }

    /// Calls a command that returns a file.
    async fn file(&self, method: &str, params: Value) -> Result<Vec<u8>, RenderError> {
        let mut result = self.call(method, params, CAPTURE_TIMEOUT).await.map_err(uncaptured)?;
        let data = result.get_mut("data").map(Value::take);
        let decode =
            move || BASE64.decode(data.as_ref().and_then(Value::as_str).unwrap_or_default().as_bytes());
        let decoded = tokio::task::spawn_blocking(decode).await.ok().and_then(Result::ok);
        decoded
            .filter(|file| !file.is_empty())
            .ok_or_else(|| uncaptured(CommandError::Refused("the file is empty".to_owned())))
    }

    async fn evaluate(&self, function: &str, limit: Duration) -> Result<String, CommandError> {
        self.evaluate_expression(&format!("({function})()"), limit).await
    }

    /// Evaluates an expression whose value is a text, in a world that the page's scripts cannot change.
    async fn evaluate_expression(&self, expression: &str, limit: Duration) -> Result<String, CommandError> {
        self.evaluate_in((self.session, self.frame), expression, limit).await
    }

    /// Evaluates an expression as [`evaluate_expression`](Self::evaluate_expression) does, in a frame of a session.
    async fn evaluate_in(
        &self,
        (session, frame): (&str, &str),
        expression: &str,
        limit: Duration,
    ) -> Result<String, CommandError> {
        let until = Instant::now() + limit;
        let world = json!({ "frameId": frame, "worldName": WORLD });
        let created = self.pipe.call(Some(session), "Page.createIsolatedWorld", world, limit).await?;
        let context = created.get("executionContextId").cloned().unwrap_or_default();
        let params = json!({ "expression": expression, "contextId": context, "returnByValue": true });
        let limit = until.saturating_duration_since(Instant::now());
        let evaluated = self.pipe.call(Some(session), "Runtime.evaluate", params, limit).await?;
        let value = evaluated.pointer("/result/value").and_then(Value::as_str);
        value.map(str::to_owned).ok_or_else(|| CommandError::Refused("the script has no result".to_owned()))
    }

    fn refusal(&self) -> Option<fetch::Error> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).refusal.clone()
    }

    async fn call(&self, method: &str, params: Value, limit: Duration) -> Result<Value, CommandError> {
        self.pipe.call(Some(self.session), method, params, limit).await
    }

    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }
}

/// Sizes of the buffers in which the browser stores the files of a page.
fn network_buffers(captures: Captures) -> Value {
    if captures.page {
        json!({ "maxTotalBufferSize": MAX_TOTAL_BYTES, "maxResourceBufferSize": MAX_FILE_BYTES })
    } else {
        json!({})
    }
}

/// Failure of a page that was loaded but cannot be captured. It does not count as a failure of the browser.
fn uncaptured(error: CommandError) -> RenderError {
    match error {
        CommandError::Closed => RenderError::BrowserLost,
        CommandError::TimedOut => RenderError::Unresponsive { limit: CAPTURE_TIMEOUT },
        CommandError::Refused(reason) => {
            tracing::debug!(reason, "page not captured");
            RenderError::Load { reason: "it cannot be captured".to_owned() }
        }
    }
}

/// Masks the secrets of the steps and of the credentials in a document.
async fn masked(html: String, mask: SecretMask) -> Result<String, RenderError> {
    if mask.is_empty() {
        return Ok(html);
    }
    let masking = tokio::task::spawn_blocking(move || mask.mask_html(html));
    masking.await.map_err(|_| RenderError::Load { reason: "its document cannot be read".to_owned() })
}

fn impossible(step: &str, reason: &str) -> RenderError {
    RenderError::Step { step: step.to_owned(), reason: reason.chars().take(MAX_REASON_CHARS).collect() }
}

fn string(result: &Value, name: &str) -> String {
    result.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}
