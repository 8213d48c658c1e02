//! robots.txt: permissions of RFC 9309, cached for a day per origin.
//!
//! If there is no file (4xx), everything is allowed. If the file is unavailable (5xx, network), nothing is
//! allowed temporarily (section 2.3.1.4): the caller gets the reason as a transient error of the source, not
//! `robots_disallowed`, which would be final. The file itself is fetched through the same guard and budget.

pub(crate) mod rules;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use moka::Expiry;
use moka::future::Cache;
use permits::Pace;
use reqwest::StatusCode;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue, LOCATION};
use tokio::time::{Instant, timeout};
use url::Url;

use self::rules::RobotsRules;
use crate::body_memory::{BodyShare, LargeBodyMemory};
use crate::budget::{Budget, HostShare, host_key};
use crate::client::GuardedClient;
use crate::error::Error;
use crate::response::{self, Overflow};

/// Maximum number of bytes read of a file. RFC 9309 section 2.5 requires at least this many.
const MAX_BYTES: usize = 500 * 1024;
/// Size in bytes above which a file is parsed and matched on a blocking thread.
const BLOCKING_BYTES: usize = 32 * 1024;
/// Maximum number of redirects (section 2.3.1.2).
const MAX_REDIRECTS: usize = 5;
/// Share of a page's deadline for its robots.txt, so that a slow robots.txt cannot use up the deadline of
/// every page.
const DEADLINE_SHARE: f32 = 0.4;
/// Time for which a file is cached (section 2.4). Failures are cached for [`FAILURE_TTL`].
const CACHE_TTL: Duration = Duration::from_hours(24);
const FAILURE_TTL: Duration = Duration::from_mins(1);
/// Maximum total size of the cached rules, in bytes.
const CACHE_BYTES: u64 = 32 * 1024 * 1024;

/// Cache of the robots.txt files of all origins.
pub(crate) struct RobotsCache {
    cache: Cache<String, RobotsFile>,
}

/// robots.txt of an origin.
#[derive(Clone)]
enum RobotsFile {
    /// Rules that apply to the crawler of this service.
    Rules(Arc<RobotsRules>),
    /// No file exists: everything is allowed.
    Missing,
    /// The file is unavailable.
    Failed(Error),
}

/// Downloads robots.txt within a time limit.
pub(crate) struct RobotsLoader<'a> {
    client: &'a GuardedClient,
    budget: &'a Budget,
    memory: &'a LargeBodyMemory,
    limit: Duration,
    /// Name of the proxy of the page.
    proxy: Option<&'a str>,
}

impl RobotsCache {
    pub(crate) fn new() -> Self {
        let weigh = |origin: &String, answer: &RobotsFile| {
            let rules = if let RobotsFile::Rules(rules) = answer { rules.size_bytes() } else { 0 };
            u32::try_from(origin.len() + rules + 128).unwrap_or(u32::MAX)
        };
        let cache = Cache::builder().max_capacity(CACHE_BYTES).weigher(weigh).expire_after(Lifetime).build();
        Self { cache }
    }

    /// Checks that this URL may be read.
    ///
    /// # Errors
    /// `RobotsDisallowed`, or the error that made the file unavailable.
    pub(crate) async fn check(&self, url: &Url, loader: &RobotsLoader<'_>) -> Result<(), Error> {
        if url.path() == "/robots.txt" {
            return Ok(());
        }
        let origin = url.origin().ascii_serialization();
        // Files are cached per proxy, because a proxy may get another response, and its failures concern only
        // its own requests. The space separates the names, because no name of a proxy contains a space.
        let origin = match loader.proxy {
            Some(proxy) => format!("{proxy} {origin}"),
            None => origin,
        };
        // One download serves all callers that wait for this origin's file.
        let file =
            self.cache.try_get_with(origin, loader.load(url)).await.map_err(|error| Error::clone(&error))?;
        match file {
            RobotsFile::Missing => Ok(()),
            RobotsFile::Failed(error) => Err(error),
            RobotsFile::Rules(rules) => {
                if allows(rules, url).await? {
                    Ok(())
                } else {
                    Err(Error::RobotsDisallowed)
                }
            }
        }
    }
}

impl<'a> RobotsLoader<'a> {
    /// Creates a loader for a page with the given `deadline`.
    pub(crate) fn new(
        client: &'a GuardedClient,
        budget: &'a Budget,
        memory: &'a LargeBodyMemory,
        deadline: Duration,
    ) -> Self {
        Self { client, budget, memory, limit: deadline.mul_f32(DEADLINE_SHARE), proxy: None }
    }

    /// Returns a loader that uses the proxy with this name, if a name is given.
    pub(crate) fn through(self, proxy: Option<&'a str>) -> Self {
        Self { proxy, ..self }
    }

    /// Fetches the file. Refusals by the host budget of this process are not cached: a full queue drains, and
    /// a pause expires.
    async fn load(&self, page: &Url) -> Result<RobotsFile, Error> {
        let outcome = timeout(self.limit, self.download(page)).await;
        let timed_out = Error::Timeout { reason: "robots.txt took too long", answered: false };
        match outcome.unwrap_or(Err(timed_out)) {
            Ok(answer) => Ok(answer),
            Err(error @ (Error::Busy { .. } | Error::RateLimited { retry_after: Some(_) })) => Err(error),
            Err(error) => Ok(RobotsFile::Failed(error)),
        }
    }

    async fn download(&self, page: &Url) -> Result<RobotsFile, Error> {
        let mut url = page.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        url.set_fragment(None);
        // The file serves all callers, so it is not in the share of the caller that needs it first.
        let host_share = HostShare { pace: Pace::Interactive, caller: None };
        let mut current_permit = None;
        for hop in 0..=MAX_REDIRECTS {
            let permit = self.budget.acquire(&url, host_share, self.limit, current_permit.take()).await?;
            let response = match self.client.exchange(&url, headers(), None, self.proxy).await {
                // A redirect to a disallowed address counts as a missing file.
                Err(Error::NotAllowed { .. }) if hop > 0 => return Ok(RobotsFile::Missing),
                other => other?,
            };
            let status = response.status();
            if let Some(pause) = response::retry_after(response.headers()).filter(|_| asks_for_pause(status))
            {
                permit.pause(&url, pause);
            }
            if status.is_success() {
                let (caller, deadline) = (&host_key(&url), Instant::now() + self.limit);
                let share = BodyShare { memory: self.memory, pace: Pace::Interactive, caller, deadline };
                let (body, _permit) = response::body(response, MAX_BYTES, Overflow::Truncate, share).await?;
                return Ok(RobotsFile::Rules(Arc::new(parse(body).await?)));
            }
            if !status.is_redirection() {
                return file_for_status(status, response.headers());
            }
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            let Some(next) = location.and_then(|location| url.join(location).ok()) else {
                return Ok(RobotsFile::Missing);
            };
            url = next;
            current_permit = Some(permit);
        }
        Ok(RobotsFile::Missing)
    }
}

/// True if a host uses this status to request a pause.
pub(crate) fn asks_for_pause(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}

fn file_for_status(status: StatusCode, headers: &HeaderMap) -> Result<RobotsFile, Error> {
    if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS {
        return Ok(RobotsFile::Missing);
    }
    Err(response::status_error(status, headers)
        .unwrap_or(Error::InvalidResponse { reason: "robots.txt is not available" }))
}

fn headers() -> HeaderMap {
    HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("text/plain, */*;q=0.5"))])
}

async fn parse(body: Bytes) -> Result<RobotsRules, Error> {
    if body.len() <= BLOCKING_BYTES {
        return Ok(RobotsRules::parse(&body));
    }
    blocking(move || RobotsRules::parse(&body)).await
}

async fn allows(rules: Arc<RobotsRules>, url: &Url) -> Result<bool, Error> {
    if rules.size_bytes() <= BLOCKING_BYTES {
        return Ok(rules.allows(url));
    }
    let url = url.clone();
    blocking(move || rules.allows(&url)).await
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Error::InvalidResponse { reason: "robots.txt could not be parsed" })
}

struct Lifetime;

impl Expiry<String, RobotsFile> for Lifetime {
    fn expire_after_create(
        &self,
        _: &String,
        answer: &RobotsFile,
        _: std::time::Instant,
    ) -> Option<Duration> {
        Some(match answer {
            RobotsFile::Rules(_) | RobotsFile::Missing => CACHE_TTL,
            RobotsFile::Failed(_) => FAILURE_TTL,
        })
    }
}
