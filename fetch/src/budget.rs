//! Budgets of hosts: bounded concurrency, a gap between background requests, and no requests during a pause that the
//! host has requested.
//!
//! A host is a registrable domain (public suffix list), or an address with its port. Callers get its permits in
//! rotation ([`FairSemaphore`]), and one caller gets all permits but one. The number of waiting requests and their
//! waiting time are bounded. The limit on all running requests prefers interactive requests. The number of tracked
//! hosts is bounded: a host that is idle and not paused is evicted. A budget belongs to this process. Across
//! processes, the rule of one job per URL and the per-host cap of each scheduler tick apply.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use permits::{FairPermit, FairSemaphore, Pace};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout};
use url::{Host as UrlHost, Position, Url};

use crate::error::Error;
use crate::settings::FetcherSettings;
use crate::url_check;

/// Idle hosts are evicted if more than this many are tracked.
const PRUNE_AT: usize = 4096;
/// Maximum duration of a pause that a page requests. After that, the page is requested again.
const MAX_PAUSE: Duration = Duration::from_hours(24);
/// Maximum time for which one page can pause its whole host. Many people may use pages of a host, and one of them must
/// not be able to block it for all.
const MAX_PAUSE_BY_ONE: Duration = Duration::from_mins(2);
/// If this many pages of a host request a pause, it applies to the whole host.
const HOST_PAUSE_QUORUM: usize = 3;
/// Maximum number of pauses tracked per host.
const MAX_PAUSES: usize = 32;
/// Error for a caller that waited too long, or that must not wait because the queue is full.
const BUSY: Error = Error::Busy { retry_after: Duration::from_secs(5) };

pub(crate) struct Budget {
    hosts: Mutex<Hosts>,
    total: Arc<FairSemaphore>,
    per_host: usize,
    gap: Duration,
    waiting: usize,
    max_wait: Duration,
}

struct Hosts {
    by_key: HashMap<String, Arc<HostBudget>>,
    prune_at: usize,
}

/// Share of a host's permits that one request uses.
#[derive(Clone, Copy)]
pub(crate) struct HostShare<'a> {
    pub(crate) pace: Pace,
    /// Caller of the request: an account or a network. Interactive requests without a caller have one share.
    pub(crate) caller: Option<&'a str>,
}

struct HostBudget {
    requests: Arc<FairSemaphore>,
    /// Allows one background request at a time.
    background: Arc<Semaphore>,
    waiting: AtomicUsize,
    times: Mutex<HostTimes>,
}

#[derive(Default)]
struct HostTimes {
    /// Earliest start of the next background request.
    next_background: Option<Instant>,
    pauses: Vec<PagePause>,
}

/// Pause requested by one page of a host.
#[derive(Clone, Copy)]
struct PagePause {
    page: u64,
    requested_at: Instant,
    until: Instant,
}

/// Permit for one exchange with a host. Released on drop.
pub(crate) struct HostPermit {
    key: String,
    host: Arc<HostBudget>,
    /// Gap that starts on release. Set for background requests.
    gap: Option<Duration>,
    _permits: Permits,
}

/// Permit for background requests, permit of the host, and permit of this process.
type Permits = (Option<OwnedSemaphorePermit>, FairPermit, FairPermit);

impl Budget {
    /// Creates budgets as configured. A limit of 0 would block forever, so it counts as 1.
    pub(crate) fn new(settings: &FetcherSettings) -> Self {
        Self {
            hosts: Mutex::new(Hosts { by_key: HashMap::new(), prune_at: PRUNE_AT }),
            total: FairSemaphore::new(settings.total_concurrency),
            per_host: settings.per_host_concurrency,
            gap: settings.per_host_gap,
            waiting: settings.per_host_waiting,
            max_wait: settings.max_wait,
        }
    }

    /// Waits for a permit of the URL's host. Keeps `current_permit` if a redirect stays on that host. `deadline` is the
    /// total time limit of the request. If the wait reaches three quarters of it, the result is `Busy`, so that a full
    /// queue of this process is never reported as a slow source.
    ///
    /// # Errors
    /// `RateLimited` while the host or the page is paused. `Busy` if too many requests are waiting or the wait was too
    /// long.
    pub(crate) async fn acquire(
        &self,
        url: &Url,
        share: HostShare<'_>,
        deadline: Duration,
        current_permit: Option<HostPermit>,
    ) -> Result<HostPermit, Error> {
        let host_key = host_key(url);
        let current_permit = current_permit.filter(|permit| permit.key == host_key);
        if let Some(permit) = current_permit {
            permit.host.check_pause(url)?;
            return Ok(permit);
        }
        let host = self.host(&host_key);
        host.check_pause(url)?;
        let Some(slot) = QueueSlot::take(&host, share, self.waiting) else {
            return Err(BUSY);
        };
        let permits = timeout(self.max_wait.min(deadline / 4 * 3), self.wait(&host, url, share))
            .await
            .map_err(|_| BUSY)??;
        drop(slot);
        let gap = (share.pace == Pace::Background).then_some(self.gap);
        Ok(HostPermit { key: host_key, host, gap, _permits: permits })
    }

    async fn wait(&self, host: &HostBudget, url: &Url, share: HostShare<'_>) -> Result<Permits, Error> {
        let mut background = None;
        if share.pace == Pace::Background {
            background = Some(owned_permit(&host.background).await?);
            let next = host.times().next_background;
            if let Some(next) = next {
                sleep_until(next).await;
            }
        }
        // The pace is always interactive: background requests run one at a time and have a share of their own, so a
        // lower priority would only let interactive requests delay them until their wait is over.
        let request = host.requests.acquire(Pace::Interactive, share.key()).await.ok_or(BUSY)?;
        // One queue for all hosts: the permits of a host already bound its share.
        let total = self.total.acquire(share.pace, "").await.ok_or(BUSY)?;
        // An earlier request in the queue may have received a pause.
        host.check_pause(url)?;
        Ok((background, request, total))
    }

    fn host(&self, host_key: &str) -> Arc<HostBudget> {
        let mut hosts = lock(&self.hosts);
        if let Some(host) = hosts.by_key.get(host_key) {
            return Arc::clone(host);
        }
        if hosts.by_key.len() >= hosts.prune_at {
            let now = Instant::now();
            hosts.by_key.retain(|_, host| Arc::strong_count(host) > 1 || host.times().is_active_at(now));
            if hosts.by_key.len() >= 2 * PRUNE_AT {
                // If this many hosts are paused, the service is being abused. In this case, only hosts in use
                // are retained.
                hosts.by_key.retain(|_, host| Arc::strong_count(host) > 1);
            }
            hosts.prune_at = PRUNE_AT.max(hosts.by_key.len() + PRUNE_AT / 2);
        }
        let host = Arc::new(HostBudget {
            requests: FairSemaphore::reserving_one(self.per_host),
            background: Arc::new(Semaphore::new(1)),
            waiting: AtomicUsize::new(0),
            times: Mutex::new(HostTimes::default()),
        });
        hosts.by_key.insert(host_key.to_owned(), Arc::clone(&host));
        host
    }

    #[cfg(test)]
    pub(crate) fn tracked_hosts(&self) -> usize {
        lock(&self.hosts).by_key.len()
    }
}

impl<'a> HostShare<'a> {
    /// Key of the share in the rotation of the host. Background requests of all callers have one share: otherwise a
    /// caller whose interactive requests use its share would keep the background requests of others waiting.
    fn key(self) -> &'a str {
        match self.pace {
            Pace::Interactive => self.caller.unwrap_or_default(),
            Pace::Background => "background",
        }
    }
}

impl HostPermit {
    /// Pauses the page, and its host for a shorter time, for all requests of this process.
    pub(crate) fn pause(&self, url: &Url, pause: Duration) {
        let requested_at = Instant::now();
        let until = requested_at + pause.min(MAX_PAUSE);
        self.host.times().pause(PagePause { page: page_hash(url), requested_at, until });
    }
}

impl Drop for HostPermit {
    fn drop(&mut self) {
        if let Some(gap) = self.gap {
            self.host.times().next_background = Instant::now().checked_add(gap);
        }
    }
}

impl HostBudget {
    fn check_pause(&self, url: &Url) -> Result<(), Error> {
        let now = Instant::now();
        match self.times().paused_until(page_hash(url)) {
            Some(until) if until > now => Err(Error::RateLimited { retry_after: Some(until - now) }),
            Some(_) | None => Ok(()),
        }
    }

    fn times(&self) -> MutexGuard<'_, HostTimes> {
        lock(&self.times)
    }
}

impl HostTimes {
    fn is_active_at(&self, now: Instant) -> bool {
        let pause = self.pauses.iter().map(|pause| pause.until).max();
        self.next_background.max(pause).is_some_and(|time| time > now)
    }

    fn pause(&mut self, new: PagePause) {
        let before = self.pauses.iter().find(|pause| pause.page == new.page).map(|pause| pause.until);
        let new = PagePause { until: new.until.max(before.unwrap_or(new.until)), ..new };
        self.pauses.retain(|pause| pause.page != new.page && pause.until > new.requested_at);
        if self.pauses.len() >= MAX_PAUSES {
            self.pauses.sort_unstable_by_key(|pause| pause.until);
            self.pauses.remove(0);
        }
        self.pauses.push(new);
    }

    /// Time until which this page is paused: the latest of its own pause, a bounded pause requested by
    /// another page, and the pause on which several pages agree.
    fn paused_until(&self, page_hash: u64) -> Option<Instant> {
        let own = self.pauses.iter().find(|pause| pause.page == page_hash).map(|pause| pause.until);
        let by_one =
            self.pauses.iter().map(|pause| pause.until.min(pause.requested_at + MAX_PAUSE_BY_ONE)).max();
        let mut expiries: Vec<Instant> = self.pauses.iter().map(|pause| pause.until).collect();
        expiries.sort_unstable_by(|a, b| b.cmp(a));
        own.max(by_one).max(expiries.get(HOST_PAUSE_QUORUM - 1).copied())
    }
}

/// Slot in the queue of a host. Released on drop, even if the caller is cancelled.
struct QueueSlot<'a>(&'a HostBudget);

impl<'a> QueueSlot<'a> {
    fn take(host: &'a HostBudget, share: HostShare<'_>, limit: usize) -> Option<Self> {
        let free = match share.pace {
            Pace::Interactive => host.requests.has_permit_for(share.pace, share.key()),
            Pace::Background => host.background.available_permits() > 0,
        };
        let slot = Self(host);
        let before = host.waiting.fetch_add(1, Ordering::Relaxed);
        // One caller can fill the queue. The first waiting request of another caller is then still accepted.
        let is_first = || {
            share.pace == Pace::Interactive
                && before < limit.saturating_mul(2)
                && !host.requests.is_waiting(share.key())
        };
        (free || before < limit || is_first()).then_some(slot)
    }
}

impl Drop for QueueSlot<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn owned_permit(semaphore: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Error> {
    // The semaphore is never closed. If it is, the request is refused.
    Arc::clone(semaphore).acquire_owned().await.map_err(|_| BUSY)
}

/// Locks a mutex even if it is poisoned, because times and counts remain usable after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hash of a URL without its fragment, which identifies a page.
fn page_hash(url: &Url) -> u64 {
    let mut hasher = DefaultHasher::new();
    url[..Position::AfterQuery].hash(&mut hasher);
    hasher.finish()
}

/// Key of the budget to which a URL belongs.
pub(crate) fn host_key(url: &Url) -> String {
    let port = url.port_or_known_default().unwrap_or_default();
    match url.host() {
        Some(UrlHost::Domain(name)) if !url_check::is_local_name(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            sites::registrable_domain(name).unwrap_or(name).to_owned()
        }
        Some(host) => format!("{host}:{port}"),
        None => String::new(),
    }
}

/// True if two URLs belong to the same site: to the same registrable domain, or to the same host and port if the host
/// has no public name.
pub fn is_same_site(one: &Url, other: &Url) -> bool {
    host_key(one) == host_key(other)
}
