//! Fetches URLs with all checks and limits of this crate.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use permits::Pace;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, COOKIE, DATE, ETAG, EXPIRES, HeaderMap, HeaderName,
    HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION, USER_AGENT,
};
use reqwest::{Method, Response, StatusCode};
use tokio::time::{Instant, timeout};
use tracing::Instrument;
use url::Url;

use crate::address;
use crate::body_memory::{BodyShare, LargeBodyMemory};
use crate::budget::{Budget, HostPermit, HostShare, host_key};
use crate::client::GuardedClient;
use crate::cookies::CookieJar;
use crate::error::{Error, SetupError};
use crate::refresh;
use crate::request::{Accept, BodyMethod, Fetched, OutgoingBody, Request, RequestHeader};
use crate::resolve::{Dns, Lookup};
use crate::response::{self, Overflow};
use crate::robots::{self, RobotsCache, RobotsLoader};
use crate::settings::{FetcherSettings, RobotsRule};
use crate::url_check;

/// Upper bound of all deadlines.
const MAX_DEADLINE: Duration = Duration::from_hours(1);

/// Shared handle to the guarded client. Cheap to clone.
#[derive(Clone)]
pub struct Fetcher {
    parts: Arc<FetcherParts>,
    /// Caller of all fetches. For large bodies, fetches without a caller are counted in the share of their site.
    caller: Option<Arc<str>>,
}

struct FetcherParts {
    settings: Arc<FetcherSettings>,
    client: GuardedClient,
    budget: Budget,
    robots: RobotsCache,
    memory: LargeBodyMemory,
}

impl Fetcher {
    /// Creates the guarded client without contacting any server. Logs the exceptions that the operator
    /// configured for the guard.
    ///
    /// # Errors
    /// If the extra root certificates, TLS, the resolver, or the client cannot be set up.
    pub fn new(settings: FetcherSettings) -> Result<Self, SetupError> {
        let dns: Arc<dyn Lookup> = Arc::new(Dns::new(&settings)?);
        let mut settings = settings;
        settings.own_addresses.extend(address::outbound_addresses());
        Self::with_lookup(settings, &dns)
    }

    /// Creates a fetcher with another source of addresses.
    pub(crate) fn with_lookup(
        settings: FetcherSettings,
        lookup: &Arc<dyn Lookup>,
    ) -> Result<Self, SetupError> {
        if settings.robots == RobotsRule::Ignore {
            tracing::info!("robots.txt is ignored");
        }
        let settings = Arc::new(settings);
        let client = GuardedClient::new(&settings, lookup)?;
        let (budget, robots, memory) =
            (Budget::new(&settings), RobotsCache::new(), LargeBodyMemory::new(&settings));
        Ok(Self { parts: Arc::new(FetcherParts { settings, client, budget, robots, memory }), caller: None })
    }

    /// Returns a handle for the fetches of one caller, which is an account or a network. Callers get the permits
    /// of a host and the memory for large bodies in rotation, regardless of how many fetches of each caller are
    /// waiting.
    #[must_use]
    pub fn for_caller(&self, caller: Option<String>) -> Self {
        Self { caller: caller.map(Arc::from), ..self.clone() }
    }

    /// Returns a fetcher that accesses this service as an external server would. The addresses of this
    /// service are fetched if they are public, and the operator's exceptions to the guard do not apply.
    ///
    /// # Errors
    /// If TLS, the resolver, or the client cannot be set up.
    pub fn as_outsider(&self) -> Result<Self, SetupError> {
        let settings = self.parts.settings.seen_from_outside();
        let dns: Arc<dyn Lookup> = Arc::new(Dns::new(&settings)?);
        Self::with_lookup(settings, &dns)
    }

    pub fn settings(&self) -> &FetcherSettings {
        &self.parts.settings
    }

    /// Checks the headers that an account adds to a request.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] if one of them signs people in to this service.
    pub fn check_headers<'a>(
        &self,
        headers: impl IntoIterator<Item = &'a RequestHeader>,
    ) -> Result<(), Error> {
        if headers.into_iter().any(|header| self.settings().is_sign_in_header(&header.name)) {
            return Err(Error::NotAllowed { reason: "a header of the request is set by the service" });
        }
        Ok(())
    }

    /// Checks a URL against the guard's rules for URLs and, as for a page request, against the robots.txt of
    /// its host.
    pub(crate) async fn check_robots(&self, url: &str, deadline: Duration) -> Result<(), Error> {
        let FetcherParts { settings, client, budget, robots, memory } = &*self.parts;
        let url = url_check::check_encoded_url(url, settings).map_err(Error::from_redirect_url)?;
        if settings.robots == RobotsRule::Ignore {
            return Ok(());
        }
        robots.check(&url, &RobotsLoader::new(client, budget, memory, deadline)).await
    }

    /// Components that an exchange with a server needs.
    pub(crate) fn exchange_parts(&self) -> (&GuardedClient, &Budget, &LargeBodyMemory) {
        let FetcherParts { client, budget, memory, .. } = &*self.parts;
        (client, budget, memory)
    }

    /// Fetches a URL with all checks and limits: guard, robots.txt, host budget, redirects, caps, and
    /// deadline.
    ///
    /// The future is boxed, so that it is compiled in this crate and not again in every crate that awaits it.
    ///
    /// # Errors
    /// See [`Error`]; each variant maps to one error code of the API.
    pub fn fetch<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Fetched, Error>> {
        let host = || Url::parse(&request.url).ok()?.host_str().map(str::to_owned);
        let span = tracing::debug_span!("fetch", host = host());
        self.walk(request).instrument(span).boxed()
    }

    async fn walk(&self, request: &Request) -> Result<Fetched, Error> {
        let answered = AtomicBool::new(false);
        let limit = request.deadline.min(MAX_DEADLINE);
        let walk = Walk {
            parts: &self.parts,
            request,
            caller: self.caller.as_deref(),
            deadline: Instant::now() + limit,
            answered: &answered,
        };
        let run = async {
            self.check_headers(&request.headers)?;
            walk.run().await
        };
        let outcome = timeout(limit, run).await.unwrap_or_else(|_| {
            let answered = answered.load(Ordering::Relaxed);
            Err(Error::Timeout { reason: "the fetch exceeded its deadline", answered })
        });
        let label = match &outcome {
            Ok(fetched) if fetched.not_modified => "not_modified",
            Ok(_) => "ok",
            Err(error) => error.label(),
        };
        metrics::counter!("carrel_fetch_total", "code" => label).increment(1);
        if let Err(error) = &outcome {
            // The URL is not logged, because its query may contain private data.
            tracing::debug!(label, %error, "fetch failed");
        }
        outcome
    }
}

impl Fetcher {
    /// Posts a form to a `WebSub` hub under the guard and the host's budget. No redirect is followed, and no
    /// body is read. Any 2xx is a success. `deadline` is the total time.
    ///
    /// # Errors
    /// See [`Error`]; a redirect is an [`Error::Status`].
    pub async fn post_form(
        &self,
        url: &str,
        fields: &[(&str, String)],
        deadline: Duration,
    ) -> Result<(), Error> {
        let send = async {
            let FetcherParts { settings, client, budget, .. } = &*self.parts;
            let url = url_check::check_url(url, settings).map_err(Error::from_caller_url)?;
            let share = HostShare { pace: Pace::Background, caller: None };
            let permit = budget.acquire(&url, share, deadline, None).await?;
            let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, kind)]);
            let response = client.post(&url, headers, encode_form(fields).into_bytes()).await?;
            drop(permit);
            let status = response.status();
            if status.is_success() {
                return Ok(());
            }
            let refused = Error::Status { status: status.as_u16(), retry_after: None };
            Err(response::status_error(status, response.headers()).unwrap_or(refused))
        };
        let late = Error::Timeout { reason: "the exchange exceeded its deadline", answered: false };
        timeout(deadline, send).await.unwrap_or(Err(late))
    }
}

impl Fetcher {
    /// Fetches a JSON document of at most `cap_bytes` that a server publishes about itself. No redirect is
    /// followed, robots.txt is not checked, and only a 200 is a success. At most one such request per host
    /// runs at a time. `deadline` is the total time.
    ///
    /// # Errors
    /// See [`Error`]; a redirect is an [`Error::Status`], and another media type is an
    /// [`Error::UnsupportedContent`].
    pub async fn json(&self, url: &str, cap_bytes: usize, deadline: Duration) -> Result<Fetched, Error> {
        let end = Instant::now() + deadline.min(MAX_DEADLINE);
        let read = async {
            let FetcherParts { settings, client, budget, memory, .. } = &*self.parts;
            let url = url_check::check_url(url, settings).map_err(Error::from_caller_url)?;
            let host_share = HostShare { pace: Pace::Background, caller: None };
            let _permit = budget.acquire(&url, host_share, deadline, None).await?;
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
            let response = client.send(&url, headers).await?;
            let status = response.status();
            if status != StatusCode::OK {
                let refused = Error::Status { status: status.as_u16(), retry_after: None };
                return Err(response::status_error(status, response.headers()).unwrap_or(refused));
            }
            response::check_json(response.headers())?;
            let caller = &host_key(&url);
            let share = BodyShare { memory, pace: Pace::Background, caller, deadline: end };
            let mut fetched = fetched_from_headers(url, false, status, response.headers());
            (fetched.body, fetched.body_permit) =
                response::body(response, cap_bytes, Overflow::Refuse, share).await?;
            Ok(fetched)
        };
        let late = Error::Timeout { reason: "the exchange exceeded its deadline", answered: false };
        timeout(deadline, read).await.unwrap_or(Err(late))
    }
}

impl Fetched {
    /// Target of an HTML page that redirects by `<meta http-equiv=refresh>`. Page requests follow it
    /// automatically, but feed requests do not.
    pub fn meta_refresh(&self) -> Option<Url> {
        response::may_be_html(self.content_type.as_deref()).then(|| refresh::target(&self.url, &self.body))?
    }
}

impl Fetched {
    /// Result for the HTML of a document that a browser rendered.
    ///
    /// # Errors
    /// Returns the error that corresponds to the status of the document.
    pub fn of_rendered(url: Url, status: u16, html: String) -> Result<Self, Error> {
        let (status, fetched) = Self::of_document(url, status, html)?;
        response::status_error(status, &HeaderMap::new()).map_or(Ok(fetched), Err)
    }

    /// Result for a rendered document that is content even if its status is an error.
    ///
    /// # Errors
    /// If the status is 429 or not valid.
    pub fn of_rendered_error_page(url: Url, status: u16, html: String) -> Result<Self, Error> {
        let (status, fetched) = Self::of_document(url, status, html)?;
        let error = response::status_error(status, &HeaderMap::new());
        error.filter(|_| !is_error_page(status)).map_or(Ok(fetched), Err)
    }

    fn of_document(url: Url, status: u16, html: String) -> Result<(StatusCode, Self), Error> {
        let headers =
            HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))]);
        let invalid = |_| Error::InvalidResponse { reason: "its status is not valid" };
        let status = StatusCode::from_u16(status).map_err(invalid)?;
        let fetched = Self { body: html.into(), ..fetched_from_headers(url, false, status, &headers) };
        Ok((status, fetched))
    }
}

/// True if a response with this status is content for a request that accepts any status.
fn is_error_page(status: StatusCode) -> bool {
    let is_error = status.is_client_error() || status.is_server_error();
    is_error && status != StatusCode::TOO_MANY_REQUESTS
}

fn encode_form(fields: &[(&str, String)]) -> String {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in fields {
        form.append_pair(name, value);
    }
    form.finish()
}

/// State of one fetch across its redirects.
struct Walk<'a> {
    parts: &'a FetcherParts,
    request: &'a Request,
    /// Caller of the fetch.
    caller: Option<&'a str>,
    /// Time at which the fetch must end.
    deadline: Instant,
    /// Set when a final response has started. The error of an exceeded deadline reports it.
    answered: &'a AtomicBool,
}

impl Walk<'_> {
    async fn run(&self) -> Result<Fetched, Error> {
        let state = self.request.cookies.as_ref();
        let mut cookies = state.map(CookieJar::restored).unwrap_or_default();
        let fetched = self.follow(&mut cookies).await?;
        Ok(Fetched { cookies: state.map(|_| cookies.stored()), ..fetched })
    }

    async fn follow(&self, cookies: &mut CookieJar) -> Result<Fetched, Error> {
        let mut url = url_check::check_encoded_url(&self.request.url, &self.parts.settings)
            .map_err(Error::from_caller_url)?;
        url.set_fragment(None);
        let mut outgoing = self.request.body.as_ref();
        // With other cookies or another method, the response to the same URL may differ.
        let mut visited = vec![(url.clone(), cookies.header(&url), outgoing.is_some())];
        let mut all_permanent = true;
        let mut current_permit = None;
        loop {
            let (response, permit) = self.exchange(&url, cookies, outgoing, current_permit.take()).await?;
            cookies.store(&url, response.headers());
            let next = if let Some(next) = redirect(&url, &response)? {
                if self.request.is_origin_bound && !self.is_own_origin(&next) {
                    return Err(Error::NotAllowed { reason: "it is a redirect to another origin" });
                }
                all_permanent &= matches!(response.status().as_u16(), 301 | 308);
                outgoing = outgoing.filter(|_| matches!(response.status().as_u16(), 307 | 308));
                if outgoing.is_some() && !self.is_own_origin(&next) {
                    return Err(Error::InvalidResponse { reason: "it redirects the body to another origin" });
                }
                if visited.contains(&(next.clone(), cookies.header(&next), outgoing.is_some())) {
                    return Err(Error::TooManyRedirects);
                }
                next
            } else {
                let moved = visited.len() > 1 && all_permanent;
                let fetched = self.finish(url.clone(), moved, response).await?;
                let Some(next) = self.refresh(&fetched) else { return Ok(fetched) };
                // A page that set a cookie is fetched a second time, but not a third time.
                let reads = visited.iter().filter(|(known, ..)| *known == next).count();
                if reads > 1 || visited.contains(&(next.clone(), cookies.header(&next), false)) {
                    return Ok(fetched);
                }
                outgoing = None;
                self.answered.store(false, Ordering::Relaxed);
                all_permanent = false;
                next
            };
            if visited.len() > self.parts.settings.max_redirects {
                return Err(Error::TooManyRedirects);
            }
            url = next;
            visited.push((url.clone(), cookies.header(&url), outgoing.is_some()));
            current_permit = Some(permit);
        }
    }

    /// Target of a page that redirects by `<meta http-equiv=refresh>`.
    fn refresh(&self, fetched: &Fetched) -> Option<Url> {
        let wants_page = matches!(self.request.accept, Accept::Page | Accept::Any);
        (wants_page && !self.request.is_origin_bound).then(|| fetched.meta_refresh())?
    }

    /// Performs one hop: robots.txt first, then a permit of the host, then the request.
    async fn exchange(
        &self,
        url: &Url,
        cookies: &CookieJar,
        outgoing: Option<&OutgoingBody>,
        current_permit: Option<HostPermit>,
    ) -> Result<(Response, HostPermit), Error> {
        let FetcherParts { settings, client, budget, robots, memory } = self.parts;
        // Must precede the request for robots.txt.
        url_check::check_target(url, settings).map_err(Error::from_redirect_url)?;
        let proxy = self.request.proxy.as_deref();
        let mut current_permit = current_permit;
        if settings.robots == RobotsRule::Obey && self.request.robots == RobotsRule::Obey {
            // robots.txt needs its own permit: holding this one could deadlock.
            current_permit = None;
            let deadline = self.request.deadline.min(MAX_DEADLINE);
            let loader = RobotsLoader::new(client, budget, memory, deadline).through(proxy);
            robots.check(url, &loader).await?;
        }
        let share = HostShare { pace: self.request.pace, caller: self.caller };
        let permit = budget.acquire(url, share, self.request.deadline, current_permit).await?;
        let mut headers = self.headers(url, cookies);
        let body = outgoing.map(|OutgoingBody { method, content_type, text }| {
            let content_type = HeaderValue::from_str(content_type).ok();
            headers.extend(content_type.map(|value| (CONTENT_TYPE, value)));
            let method = match method {
                BodyMethod::Post => Method::POST,
                BodyMethod::Put => Method::PUT,
                BodyMethod::Patch => Method::PATCH,
            };
            (method, text.clone().into_bytes())
        });
        let response = client.exchange(url, headers, body, proxy).await?;
        if robots::asks_for_pause(response.status())
            && let Some(pause) = response::retry_after(response.headers())
        {
            permit.pause(url, pause);
        }
        Ok((response, permit))
    }

    async fn finish(&self, url: Url, moved: bool, response: Response) -> Result<Fetched, Error> {
        self.answered.store(true, Ordering::Relaxed);
        let status = response.status();
        let conditional = self.request.etag.is_some() || self.request.last_modified.is_some();
        let not_modified = status == StatusCode::NOT_MODIFIED && conditional;
        if !not_modified
            && let Some(error) = response::status_error(status, response.headers())
            && !self.accepts(status)
        {
            return Err(error);
        }
        let headers = response.headers();
        let mut fetched = fetched_from_headers(url, moved, status, headers);
        if not_modified {
            return Ok(Fetched { not_modified, ..fetched });
        }
        if self.request.headers_only {
            return Ok(Fetched { headers: response::all_headers(headers), ..fetched });
        }
        response::check_kind(headers, self.request.accept)?;
        let cap = response::cap(headers, self.request.accept, &self.parts.settings);
        let site = host_key(&fetched.url);
        let share = BodyShare {
            memory: &self.parts.memory,
            pace: self.request.pace,
            caller: self.caller.unwrap_or(&site),
            deadline: self.deadline,
        };
        (fetched.body, fetched.body_permit) = response::body(response, cap, Overflow::Refuse, share).await?;
        Ok(fetched)
    }

    /// True if the request accepts this error status as content.
    fn accepts(&self, status: StatusCode) -> bool {
        self.request.any_status && is_error_page(status)
    }

    /// True if a URL has the origin of the request, the only origin that receives its secrets.
    fn is_own_origin(&self, url: &Url) -> bool {
        Url::parse(&self.request.url).is_ok_and(|own| own.origin() == url.origin())
    }

    /// Adds the request's headers that only its own origin may receive. They replace headers of the same name.
    fn add_own_headers(&self, headers: &mut HeaderMap) {
        let sensitive = |text: &str| {
            let mut value = HeaderValue::from_str(text).ok()?;
            value.set_sensitive(true);
            Some(value)
        };
        let mut own = HeaderMap::new();
        for RequestHeader { name, value } in &self.request.headers {
            // Headers that are not valid are ignored.
            if let (Ok(name), Some(value)) = (HeaderName::from_bytes(name.as_bytes()), sensitive(value)) {
                own.append(name, value);
            }
        }
        let authorization = self.request.authorization.as_ref();
        own.extend(authorization.and_then(|value| sensitive(&value.0)).map(|value| (AUTHORIZATION, value)));
        if let (Some(given), Some(set)) = (own.get(COOKIE), headers.get(COOKIE)) {
            // There is one header for all cookies (RFC 6265 section 5.4).
            let joined = [given.as_bytes(), b"; ", set.as_bytes()].concat();
            if let Ok(mut joined) = HeaderValue::from_bytes(&joined) {
                joined.set_sensitive(true);
                own.insert(COOKIE, joined);
            }
        }
        // Replaces headers of the same name.
        headers.extend(own);
    }

    fn headers(&self, url: &Url, cookies: &CookieJar) -> HeaderMap {
        let any = HeaderValue::from_static("*/*");
        let accept = match self.request.accept {
            Accept::Page => HeaderValue::from_str(&self.parts.settings.page_types).unwrap_or(any),
            Accept::Feed => HeaderValue::from_static(
                "application/atom+xml, application/rss+xml, application/feed+json, \
                 application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5",
            ),
            Accept::Any => any,
            Accept::Picture => {
                HeaderValue::from_static("image/avif, image/webp, image/png, image/jpeg, image/gif;q=0.9")
            }
        };
        let mut headers = HeaderMap::from_iter([(ACCEPT, accept)]);
        let mut validator = |name: HeaderName, value: &Option<String>| {
            // A stored validator that is not a valid header value is ignored.
            if let Some(value) = value.as_deref().and_then(|value| HeaderValue::from_str(value).ok()) {
                headers.insert(name, value);
            }
        };
        validator(IF_NONE_MATCH, &self.request.etag);
        validator(IF_MODIFIED_SINCE, &self.request.last_modified);
        headers.extend(cookies.header(url).map(|value| (COOKIE, value)));
        let user_agent = self.request.user_agent.as_deref();
        headers.extend(
            user_agent.and_then(|text| HeaderValue::from_str(text).ok()).map(|value| (USER_AGENT, value)),
        );
        if self.is_own_origin(url) {
            self.add_own_headers(&mut headers);
        }
        headers
    }
}

/// Target of a redirect by status. Only five statuses are redirects, and only with a `Location` (RFC 9110
/// section 15.4). The headers `Refresh` and `Link` and the status 305 are never followed.
fn redirect(url: &Url, response: &Response) -> Result<Option<Url>, Error> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let broken = Error::InvalidResponse { reason: "it redirects to an invalid URL" };
    let Some(location) = response.headers().get(LOCATION) else { return Err(broken) };
    // Raw UTF-8 is common in this header; the parser encodes it.
    let location = std::str::from_utf8(location.as_bytes()).map_err(|_| broken.clone())?;
    let mut next = url.join(location.trim()).map_err(|_| broken.clone())?;
    if next.as_str().len() > url_check::MAX_URL_BYTES {
        return Err(broken);
    }
    next.set_fragment(None);
    Ok(Some(next))
}

/// Result from the headers, with an empty body.
fn fetched_from_headers(url: Url, moved: bool, status: StatusCode, headers: &HeaderMap) -> Fetched {
    Fetched {
        permanent_url: moved.then(|| url.clone()),
        url,
        status: status.as_u16(),
        not_modified: false,
        content_type: response::header_text(headers, CONTENT_TYPE),
        etag: response::header_text(headers, ETAG),
        last_modified: response::header_text(headers, LAST_MODIFIED),
        cache_control: response::joined_header(headers, CACHE_CONTROL),
        expires: response::header_text(headers, EXPIRES),
        date: response::header_text(headers, DATE),
        retry_after_seconds: response::retry_after(headers).map(|pause| pause.as_secs()),
        cookies: None,
        links: response::links(headers),
        headers: Vec::new(),
        body: bytes::Bytes::new(),
        body_permit: None,
    }
}
