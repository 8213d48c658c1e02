//! Events of a page that is being loaded: decides about its requests, answers its dialogs, closes its windows,
//! and records its state.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fetch::{Fetcher, PageAccess, Url};
use serde_json::{Value, json};

use crate::frame_origins::FrameOrigins;
use crate::loaded_files::{self, LoadedFile};
use crate::pipe::{BrowserEvent, Events, Pipe, Subscriber};
use crate::request_settings::{OwnOrigin, RequestOrigin};

/// Maximum number of requests of a page, including those that are answered without the network.
const MAX_REQUESTS: u32 = 600;
/// Maximum number of frames, workers, and windows of a page.
const MAX_TARGETS: u32 = 60;
/// Maximum time for the robots.txt check of a document.
const ROBOTS_TIMEOUT: Duration = Duration::from_secs(5);
/// Resource types that do not affect the text of the page.
const WITHOUT_TEXT: [&str; 5] = ["Media", "Ping", "Prefetch", "CSPViolationReport", "TextTrack"];
/// Resource types that affect only the appearance of the page.
const APPEARANCE: [&str; 2] = ["Image", "Font"];

#[derive(Debug, Default)]
pub(crate) struct PageState {
    /// Status and URL of the document.
    pub(crate) response: Option<(u16, String)>,
    /// Lifecycle events of the current document.
    lifecycle: HashSet<String>,
    loader: String,
    pub(crate) is_crashed: bool,
    /// Refusal of the document, or of another document to which it navigated.
    pub(crate) refusal: Option<fetch::Error>,
    requests: u32,
    targets: u32,
    /// True if a request was refused because there were too many.
    pub(crate) is_cut: bool,
    /// Style sheets, pictures, and fonts of the page.
    pub(crate) files: Vec<LoadedFile>,
    /// URLs that the page requested and that were redirected, by the id of the request.
    redirected: HashMap<String, String>,
    /// Frames of other sites: session, and id of the frame.
    pub(crate) frames: Vec<(String, String)>,
    /// Ids of requests for which the password of the proxy was sent.
    authenticated: HashSet<String>,
    /// Ids of requests that were sent with the headers for the page's origin.
    with_headers: HashSet<String>,
    origins: FrameOrigins,
}

impl PageState {
    /// State of a page with this main frame before its first request.
    pub(crate) fn of_main_frame(id: &str) -> Self {
        Self { origins: FrameOrigins::of_main_frame(id), ..Self::default() }
    }

    /// True if the browser has reported that almost no request of the current document is pending.
    pub(crate) fn is_network_idle(&self) -> bool {
        self.lifecycle.contains("networkAlmostIdle") || self.lifecycle.contains("networkIdle")
    }
}

/// Handler of the events of one page.
pub(crate) struct EventHandler {
    pub(crate) pipe: Pipe,
    pub(crate) subscriber: Subscriber,
    pub(crate) fetcher: Fetcher,
    pub(crate) access: Arc<PageAccess>,
    /// True if pictures and fonts are loaded.
    pub(crate) shows_pictures: bool,
    /// Origin of the page, with its headers.
    pub(crate) own: OwnOrigin,
    /// Target of the page itself, which is also the id of its main frame.
    pub(crate) target: String,
    pub(crate) state: Arc<Mutex<PageState>>,
}

impl EventHandler {
    /// Handles the events until the page is closed.
    pub(crate) async fn run(self, mut events: Events) {
        while let Some(event) = events.next().await {
            self.handle(event).await;
        }
        // The browser ended, or the page sent too many events.
        self.state().is_crashed = true;
    }

    fn state(&self) -> MutexGuard<'_, PageState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn handle(&self, event: BrowserEvent) {
        let session = event.session.as_deref();
        let params = &event.params;
        match event.method.as_str() {
            "Fetch.requestPaused" => self.decide(session, params).await,
            "Fetch.authRequired" => self.authenticate(session, params).await,
            "Page.javascriptDialogOpening" => {
                self.pipe.send(session, "Page.handleJavaScriptDialog", json!({ "accept": false })).await;
            }
            "Page.lifecycleEvent" => self.record_lifecycle(params),
            "Page.frameAttached" | "Page.frameNavigated" | "Page.frameDetached" => {
                self.record_frame(&event.method, params);
            }
            "Network.requestWillBeSent" => self.record_redirect(params),
            "Network.responseReceived" => self.record_response(params),
            "Inspector.targetCrashed" => self.state().is_crashed = true,
            "Target.attachedToTarget" => self.prepare_target(params).await,
            "Target.targetCreated" => self.close_window(params).await,
            _ => {}
        }
    }

    /// Continues or refuses a request.
    async fn decide(&self, session: Option<&str>, params: &Value) {
        let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let (id, url) = (text("/requestId").to_owned(), text("/request/url").to_owned());
        let kind = text("/resourceType");
        let is_within = {
            let mut state = self.state();
            state.requests += 1;
            state.is_cut |= state.requests > MAX_REQUESTS;
            state.requests <= MAX_REQUESTS
        };
        let is_web = is_web(&url);
        let is_local = ["data:", "blob:", "about:"].iter().any(|scheme| url.starts_with(scheme));
        let is_without_text =
            WITHOUT_TEXT.contains(&kind) || (APPEARANCE.contains(&kind) && !self.shows_pictures);
        if !is_within || is_without_text || !(is_web || is_local) {
            refuse(&self.pipe, session, &id).await;
            return;
        }
        let port_refusal = Url::parse(&url).ok().and_then(|url| self.access.port_refusal(&url));
        let continuation = self.continuation(params, &url);
        if kind == "Document" && text("/frameId") == self.target && is_web {
            // robots.txt may take seconds, and other events must not wait for it.
            let (pipe, fetcher, state) = (self.pipe.clone(), self.fetcher.clone(), Arc::clone(&self.state));
            let session = session.map(str::to_owned);
            tokio::spawn(async move {
                let checked = match port_refusal {
                    Some(refusal) => Err(refusal),
                    None => fetcher.check_page(without_fragment(&url), ROBOTS_TIMEOUT).await,
                };
                match checked {
                    Ok(()) => pipe.send(session.as_deref(), "Fetch.continueRequest", continuation).await,
                    Err(error) => {
                        state.lock().unwrap_or_else(PoisonError::into_inner).refusal = Some(error);
                        // The current document stays, instead of an error page of the browser.
                        let params = json!({ "requestId": id, "errorReason": "Aborted" });
                        pipe.send(session.as_deref(), "Fetch.failRequest", params).await;
                    }
                }
            });
        } else if port_refusal.is_some() {
            self.state().is_cut = true;
            refuse(&self.pipe, session, &id).await;
        } else {
            self.pipe.send(session, "Fetch.continueRequest", continuation).await;
        }
    }

    /// Parameters for continuing a request. The request gets the headers if it opens the page itself, or if a document
    /// of the page's origin sends it. All hops of a redirected request have the same `networkId`.
    fn continuation(&self, params: &Value, url: &str) -> Value {
        let ids = ["networkId", "redirectedRequestId", "requestId"].map(|name| params.get(name));
        let ids = ids.into_iter().flatten().filter_map(Value::as_str);
        let is_to_own = self.own.has_headers_for(url);
        let text = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default();
        let (frame, kind) = (text("frameId"), text("resourceType"));
        let is_page = kind == "Document" && frame == self.target;
        let mut state = self.state();
        if kind == "Document" && !is_page && !is_to_own && !url.starts_with("about:") {
            // The document of another origin may send requests before the browser announces it.
            state.origins.set(frame, false);
        }
        let is_own = is_to_own && (is_page || state.origins.is_own(frame));
        let had_headers = ids.clone().filter(|id| state.with_headers.remove(*id)).count() > 0;
        if is_own {
            state.with_headers.extend(ids.map(str::to_owned));
        }
        let origin = match (is_own, had_headers) {
            (true, _) => RequestOrigin::Own,
            (false, true) => RequestOrigin::Left,
            (false, false) => RequestOrigin::Other,
        };
        self.own.continuation(params, origin)
    }

    /// Answers the proxy's request for a password, at most one time per request. A server that requests a password gets
    /// none.
    async fn authenticate(&self, session: Option<&str>, params: &Value) {
        let id = params.get("requestId").and_then(Value::as_str).unwrap_or_default();
        let is_proxy = params.pointer("/authChallenge/source").and_then(Value::as_str) == Some("Proxy");
        let is_first = self.state().authenticated.insert(id.to_owned());
        let response = if is_proxy && is_first {
            json!({ "response": "ProvideCredentials", "username": self.access.user(), "password": self.access.secret() })
        } else {
            json!({ "response": "CancelAuth" })
        };
        let params = json!({ "requestId": id, "authChallengeResponse": response });
        self.pipe.send(session, "Fetch.continueWithAuth", params).await;
    }

    fn record_lifecycle(&self, params: &Value) {
        let text = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default();
        if text("frameId") != self.target {
            return;
        }
        let mut state = self.state();
        if state.loader != text("loaderId") {
            text("loaderId").clone_into(&mut state.loader);
            state.lifecycle.clear();
        }
        state.lifecycle.insert(text("name").to_owned());
    }

    /// Records the origin of a frame. A document without its own URL keeps the origin of the frame.
    fn record_frame(&self, method: &str, params: &Value) {
        let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let mut state = self.state();
        match method {
            "Page.frameAttached" => state.origins.attach(text("/frameId"), text("/parentFrameId")),
            "Page.frameDetached" if text("/reason") == "remove" => state.origins.remove(text("/frameId")),
            "Page.frameNavigated" if !text("/frame/url").starts_with("about:") => {
                state.origins.set(text("/frame/id"), self.own.has_headers_for(text("/frame/url")));
            }
            _ => {}
        }
    }

    /// Records the URL of a file that was redirected. The page refers to the file by its first URL.
    fn record_redirect(&self, params: &Value) {
        let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let url = without_fragment(text("/redirectResponse/url"));
        let is_file = self.shows_pictures && loaded_files::FILE_TYPES.contains(&text("/type"));
        if !is_file || !is_web(url) || url.len() > loaded_files::MAX_URL_BYTES {
            return;
        }
        let mut state = self.state();
        if state.redirected.len() < loaded_files::MAX_FILES {
            state.redirected.entry(text("/requestId").to_owned()).or_insert_with(|| url.to_owned());
        }
    }

    fn record_response(&self, params: &Value) {
        let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let url = text("/response/url");
        if self.shows_pictures && is_web(url) {
            let (request, final_url) = (text("/requestId").to_owned(), without_fragment(url).to_owned());
            let mut state = self.state();
            let url = state.redirected.get(&request).unwrap_or(&final_url).clone();
            let media_type = text("/response/mimeType").to_owned();
            let file = LoadedFile { request, url, final_url, media_type };
            let is_within = loaded_files::record(&mut state.files, text("/type"), file);
            state.is_cut |= !is_within;
        }
        if text("/type") != "Document" || text("/frameId") != self.target {
            return;
        }
        let status = params.pointer("/response/status").and_then(Value::as_u64);
        let status = status.and_then(|status| u16::try_from(status).ok()).unwrap_or_default();
        let mut state = self.state();
        state.origins.set(&self.target, self.own.has_headers_for(url));
        state.response = Some((status, url.to_owned()));
    }

    /// Applies the rules of the page to a frame of another site or a worker, before it starts.
    async fn prepare_target(&self, params: &Value) {
        let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let session = text("/sessionId").to_owned();
        let is_within = {
            let mut state = self.state();
            state.targets += 1;
            state.is_cut |= state.targets > MAX_TARGETS;
            let is_within = state.targets <= MAX_TARGETS;
            if is_within && text("/targetInfo/type") == "iframe" {
                state.frames.push((session.clone(), text("/targetInfo/targetId").to_owned()));
            }
            is_within
        };
        if !is_within {
            // The target waits for the debugger and never starts.
            return;
        }
        self.subscriber.subscribe(&session);
        if matches!(text("/targetInfo/type"), "iframe" | "page") {
            for (method, params) in page_setup(self.own.user_agent.as_deref()) {
                self.pipe.send(Some(&session), method, params).await;
            }
        }
        self.pipe.send(Some(&session), "Runtime.runIfWaitingForDebugger", json!({})).await;
    }

    /// Closes a window that the page opened.
    async fn close_window(&self, params: &Value) {
        let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let target = text("/targetInfo/targetId");
        if text("/targetInfo/type") == "page" && target != self.target {
            self.pipe.send(None, "Target.closeTarget", json!({ "targetId": target })).await;
        }
    }
}

/// Commands that apply the rules of a page to its session, or to the session of one of its frames.
pub(crate) fn page_setup(user_agent: Option<&str>) -> Vec<(&'static str, Value)> {
    let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
    let intercept = json!({ "handleAuthRequests": true, "patterns": [{ "urlPattern": "*" }] });
    let mut commands = vec![
        ("Page.enable", json!({})),
        ("Network.setBypassServiceWorker", json!({ "bypass": true })),
        ("Fetch.enable", intercept),
        ("Target.setAutoAttach", attach),
    ];
    if let Some(user_agent) = user_agent {
        commands.push(("Emulation.setUserAgentOverride", json!({ "userAgent": user_agent })));
    }
    commands
}

/// True if the scheme of the URL is http or https.
pub(crate) fn is_web(url: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme))
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}

async fn refuse(pipe: &Pipe, session: Option<&str>, id: &str) {
    let params = json!({ "requestId": id, "errorReason": "BlockedByClient" });
    pipe.send(session, "Fetch.failRequest", params).await;
}
