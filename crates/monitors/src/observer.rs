//! Fetches sources and reads them in the sandbox. No other module of this crate fetches or reads sources. The
//! definition determines the content that is read. Callers evaluate the content.

use std::time::Duration;

use entities::ids::AccountId;
use extract::Input;
use extract::sandbox::{Pool, SandboxError};
use extract::watch::{
    Observation, ObservationPurpose, ObservationWarning, ObserveError, ObserveInput, PartSelector, Snapshot,
    Target, response_head,
};
use fetch::{Accept, Bytes, CookieState, Fetched, Pace, Request, RequestHeader, RobotsRule, Url};

use super::monitor::{Definition, TargetType};
use super::outcome::{RunError, postponed};
use super::rendered_source::{self, AcceptedStatuses, RenderedSource};
use articles::worker_tools::{
    Captures, PageRequestSettings, PageStep, PartLimits, RenderRequest, RenderingWarning, ScreenshotArea,
    Tools,
};
use kernel::{Code, Error};

/// Maximum number of sitemap parts that are read.
pub(super) const MAX_PARTS: usize = 50;

/// Time after which the document of a run is read in its current state.
const RUN_DEADLINE: Duration = Duration::from_secs(25);
/// Time after which the document of a preview is read in its current state. Including the start of a
/// browser, this is shorter than the time for which callers wait.
const PREVIEW_DEADLINE: Duration = Duration::from_secs(18);

/// Maximum height of a watched screenshot, in pixels.
const MAX_VISUAL_HEIGHT: u32 = 4_000;

/// Fetches sources and reads them according to a definition.
pub(super) struct Observer<'a> {
    pub(super) tools: &'a Tools,
    /// Account whose fair shares of the sandbox and of the memory for large bodies are used.
    pub(super) account_id: AccountId,
    pub(super) definition: &'a Definition,
    /// URL of the monitor. Custom headers are only sent to the origin of this URL.
    pub(super) target_url: &'a str,
    pub(super) credentials: Option<&'a RequestHeader>,
    /// Steps with their secret texts. `None` if no step has a secret text.
    pub(super) steps: Option<&'a [PageStep]>,
    /// Cookies for requests to the monitored URL.
    pub(super) cookies: Option<CookieState>,
    pub(super) pace: Pace,
    pub(super) purpose: ObservationPurpose,
}

/// Response body with its metadata.
pub(super) struct SourceBody {
    pub(super) bytes: Bytes,
    pub(super) content_type: Option<String>,
    /// URL that returned the response, after redirects.
    pub(super) url: String,
    /// True if the page was rendered and may be incomplete.
    pub(super) is_cut: bool,
}

/// Reason why a source could not be observed.
pub(super) enum NotObserved {
    /// The fetch failed.
    Fetch(fetch::Error),
    /// The source returned an unusable body.
    Unusable(RunError),
    /// This service caused the failure.
    Unavailable(Error),
}

impl Observer<'_> {
    /// Returns the same observer with a different pace of requests.
    pub(super) fn at_pace(&self, pace: Pace) -> Self {
        Self { pace, cookies: self.cookies.clone(), ..*self }
    }

    /// Request for the target URL, or for another URL of the source, such as a part of a sitemap. It has no
    /// validators.
    pub(super) fn request(&self, url: &str) -> Request {
        let settings = &self.definition.request;
        let headers = if has_same_origin(url, self.target_url) {
            settings.custom_headers().chain(self.credentials.cloned()).collect()
        } else {
            Vec::new()
        };
        let kind = TargetType::of(&self.definition.target);
        let headers_only = kind == TargetType::Headers;
        Request {
            headers,
            body: settings.post_body().filter(|_| url == self.target_url),
            user_agent: settings.user_agent.clone(),
            proxy: settings.proxy.clone(),
            // A watched status is content, so that every status is accepted.
            any_status: settings.any_status || headers_only,
            headers_only,
            cookies: self.cookies.clone().filter(|_| url == self.target_url),
            accept: accept(kind),
            deadline: self.tools.settings.fetch_timeout,
            pace: self.pace,
            robots: RobotsRule::Obey,
            ..Request::page(url)
        }
    }

    /// Renders a page. Pages of runs have a lower priority than pages for which a caller waits.
    ///
    /// # Errors
    /// Returns the failure of the run.
    pub(super) async fn render(&self, url: &str) -> Result<RenderedSource, RunError> {
        self.rendered(&self.render_request(url)).await
    }

    /// Renders a page as [`render`](Self::render) does, with its parts and their picture.
    ///
    /// # Errors
    /// Returns the failure of the run.
    pub(super) async fn render_parts(
        &self,
        url: &str,
        limits: PartLimits,
    ) -> Result<RenderedSource, RunError> {
        self.rendered(&RenderRequest { parts: Some(limits), ..self.render_request(url) }).await
    }

    async fn rendered(&self, request: &RenderRequest) -> Result<RenderedSource, RunError> {
        let headers = request.settings.headers.iter().chain(&request.settings.credentials);
        self.tools.fetcher.check_headers(headers).map_err(|error| RunError::of(&error))?;
        let statuses = if self.definition.request.any_status {
            AcceptedStatuses::Any
        } else {
            AcceptedStatuses::Success
        };
        rendered_source::render(self.tools, request, statuses).await
    }

    fn render_request(&self, url: &str) -> RenderRequest {
        let deadline = match self.purpose {
            ObservationPurpose::Run => RUN_DEADLINE,
            ObservationPurpose::Preview => PREVIEW_DEADLINE,
        };
        let rendering = self.definition.rendering.clone().unwrap_or_default();
        let selector = match &self.definition.target {
            Target::Visual { selector } => Some(selector.clone()),
            _ => None,
        };
        RenderRequest {
            captures: Captures { screenshot: selector.is_some(), ..Captures::default() },
            area: ScreenshotArea { selector: selector.flatten(), max_height: MAX_VISUAL_HEIGHT },
            wait_for: rendering.wait_for,
            steps: self.steps.map_or(rendering.steps, <[PageStep]>::to_vec),
            settings: PageRequestSettings {
                headers: self.definition.request.custom_headers().collect(),
                credentials: self.credentials.cloned(),
                user_agent: self.definition.request.user_agent.clone(),
                cookies: self.cookies.clone(),
            },
            dismiss_cookie_notices: rendering.dismiss_cookie_notices,
            pace: self.pace,
            caller: Some(self.account_id.to_string()),
            ..RenderRequest::page(url, deadline)
        }
    }

    pub(super) async fn fetch(&self, request: &Request) -> Result<Fetched, fetch::Error> {
        self.tools.fetcher.for_caller(Some(self.account_id.to_string())).fetch(request).await
    }

    /// Reads a body in the sandbox.
    pub(super) async fn read(&self, body: SourceBody) -> Result<Observation, NotObserved> {
        let is_cut = body.is_cut;
        let input = ObserveInput {
            bytes: body.bytes.into(),
            content_type: body.content_type,
            url: Some(body.url),
            target: self.definition.target.clone(),
            ignore: self.definition.ignore.clone(),
            filters: self.definition.filters.clone(),
            purpose: self.purpose,
        };
        let whole_page = self.reads_empty_parts().then(|| ObserveInput {
            target: Target::Page { selector: None },
            filters: Vec::new(),
            ..input.clone()
        });
        let observed = match (self.sandbox().observe(input).await, whole_page) {
            (Ok(Err(ObserveError::NoText)), Some(page)) => {
                let page = self.sandbox().observe(page).await;
                page.map(|page| page.map(with_empty_part))
            }
            (observed, _) => observed,
        };
        match observed {
            Ok(Ok(mut seen)) => {
                if self.definition.request.any_status {
                    // The error page is watched content.
                    seen.suspicion = None;
                }
                if self.definition.rendering.is_some() {
                    // The scripts ran.
                    seen.warnings.retain(|warning| *warning != ObservationWarning::JavascriptRequired);
                    seen.warnings.extend(is_cut.then_some(ObservationWarning::RenderingCut));
                }
                Ok(with_part_warning(seen))
            }
            Ok(Err(error)) => Err(NotObserved::Unusable(run_error(&error))),
            Err(SandboxError::Crashed | SandboxError::TimedOut | SandboxError::MemoryLimit)
                if self.definition.target.is_program() =>
            {
                Err(NotObserved::Unusable(RunError::program_stopped()))
            }
            Err(fault) => Err(not_observed(&fault)),
        }
    }

    /// True if a selected part without text is evaluated as an empty text.
    fn reads_empty_parts(&self) -> bool {
        matches!(self.definition.target, Target::Page { selector: Some(_) })
            && self.definition.trigger.reads_texts()
    }

    /// Finds the selectors of the marked parts of a rendered page, in the sandbox.
    pub(super) async fn part_selectors(&self, page: &Fetched) -> Result<Vec<PartSelector>, NotObserved> {
        let input = Input {
            bytes: page.body.clone().into(),
            content_type: page.content_type.clone(),
            url: Some(page.url.as_str().to_owned()),
        };
        match self.sandbox().part_selectors(input).await {
            Ok(Ok(selectors)) => Ok(selectors),
            Ok(Err(error)) => Err(NotObserved::Unusable(run_error(&error))),
            Err(fault) => Err(not_observed(&fault)),
        }
    }

    fn sandbox(&self) -> Pool {
        self.tools.sandbox.at_pace(self.pace).for_caller(Some(self.account_id.to_string()))
    }

    /// Body of a response. If headers are watched, the status and headers of the response.
    pub(super) fn body_of(&self, fetched: &Fetched) -> SourceBody {
        let Target::Headers { fields } = &self.definition.target else { return SourceBody::of(fetched) };
        SourceBody {
            bytes: response_head(fetched.status, &fetched.headers, fields).into(),
            content_type: Some("application/json".to_owned()),
            url: fetched.url.as_str().to_owned(),
            is_cut: false,
        }
    }

    /// Fetches or renders a URL and reads the body.
    pub(super) async fn observe(&self, url: &str) -> Result<Observation, NotObserved> {
        self.observe_with_warnings(url).await.map(|(seen, _)| seen)
    }

    /// Fetches or renders a URL and reads the body. Also returns the warnings about its rendering.
    pub(super) async fn observe_with_warnings(
        &self,
        url: &str,
    ) -> Result<(Observation, Vec<RenderingWarning>), NotObserved> {
        if self.definition.rendering.is_some() {
            let rendered = self.render(url).await.map_err(NotObserved::Unusable)?;
            let seen = self.read(SourceBody::of_rendered(&rendered)).await?;
            return Ok((seen, rendered.warnings));
        }
        let mut fetched = self.fetch(&self.request(url)).await.map_err(NotObserved::Fetch)?;
        let body = self.body_of(&fetched);
        // The only reference to the bytes is moved to the sandbox, so that they are not copied.
        fetched.body = Bytes::new();
        Ok((self.read(body).await?, Vec::new()))
    }
}

impl SourceBody {
    /// Document of a rendered page, or its screenshot if there is one.
    pub(super) fn of_rendered(rendered: &RenderedSource) -> Self {
        let document = Self { is_cut: rendered.is_cut, ..Self::of(&rendered.fetched) };
        match rendered.screenshot.clone() {
            Some(bytes) => Self { bytes, content_type: Some("image/png".to_owned()), ..document },
            None => document,
        }
    }

    /// Body of a response. If an error response has no body, the text is the number of its status.
    fn of(fetched: &Fetched) -> Self {
        let url = fetched.url.as_str().to_owned();
        if fetched.status >= 400 && fetched.body.trim_ascii().is_empty() {
            let text = format!("HTTP status {}", fetched.status);
            let content_type = Some("text/plain".to_owned());
            return Self { bytes: text.into(), content_type, url, is_cut: false };
        }
        let content_type = fetched.content_type.clone();
        Self { bytes: fetched.body.clone(), content_type, url, is_cut: false }
    }
}

/// Reason why the sandbox has no result.
fn not_observed(fault: &SandboxError) -> NotObserved {
    match fault {
        SandboxError::Spawn(reason) => {
            tracing::warn!(reason, "failed to start extraction process for monitor");
            NotObserved::Unavailable(postponed())
        }
        SandboxError::Crashed | SandboxError::TimedOut | SandboxError::MemoryLimit => {
            tracing::warn!(?fault, "extraction process failed for monitor");
            NotObserved::Unusable(RunError::unusable(Code::UnsupportedContent))
        }
    }
}

fn has_same_origin(one: &str, other: &str) -> bool {
    let origin = |url: &str| Url::parse(url).ok().map(|url| url.origin());
    origin(one).is_some_and(|known| origin(other) == Some(known))
}

/// Observation of a page whose selected part is present but has no text. The page itself has a text: otherwise it
/// may be broken, or may need scripts. Such a page is an error.
fn with_empty_part(page: Observation) -> Observation {
    let mut seen = Observation { snapshot: Snapshot::Blocks(Vec::new()), ..page };
    if !seen.warnings.contains(&ObservationWarning::JavascriptRequired) {
        // Scripts may fill the part.
        seen.warnings.push(ObservationWarning::JavascriptRequired);
    }
    seen
}

/// Adds a warning if a sitemap index lists more parts than the limit.
fn with_part_warning(mut seen: Observation) -> Observation {
    if seen.sitemaps.len() > MAX_PARTS {
        seen.warnings.push(ObservationWarning::PartsNotWatched);
    }
    seen
}

/// Media types to request. Selectors need markup, so their requests do not accept Markdown.
fn accept(kind: TargetType) -> Accept {
    if kind == TargetType::Sitemap { Accept::Feed } else { Accept::Any }
}

fn run_error(error: &ObserveError) -> RunError {
    match error {
        ObserveError::Absent { .. } => RunError::absent(),
        ObserveError::Target { .. } => RunError::unusable(Code::InvalidRequest),
        ObserveError::SelectorFailed { pointer, reason } => RunError::selector_failed(pointer, reason),
        ObserveError::NoText => RunError::unusable(Code::NoReadableText),
        ObserveError::Unsupported { .. }
        | ObserveError::NotASitemap
        | ObserveError::NotACalendar
        | ObserveError::NotJson
        | ObserveError::TooComplex { .. } => RunError::unusable(Code::UnsupportedContent),
    }
}

#[cfg(test)]
mod tests {
    use extract::watch::UrlEntry;

    use super::*;

    #[test]
    fn index_with_too_many_parts_has_a_warning() {
        let warnings = |parts: usize| {
            let part = UrlEntry { url: "https://example.com/part.xml".into(), lastmod: None };
            let seen =
                Observation { sitemaps: vec![part; parts], ..Observation::of(Snapshot::Urls(Vec::new())) };
            with_part_warning(seen).warnings.len()
        };
        assert_eq!((warnings(MAX_PARTS), warnings(MAX_PARTS + 1)), (0, 1));
    }
}
