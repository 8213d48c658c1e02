//! Rate limits of the reader, and the rate limit headers of every response. The extractor that gives an
//! operation access to the reader also charges its cost, so no operation can skip the charge.

use articles::reader::charge_rendering;
use identity::limits::AccountLimits;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use identity::limits::Network;
use identity::limits::window::{LimitDecision, RatePolicy, RateState};
use kernel::Code;
use kernel::hash::hash64;
use poem::http::HeaderMap;
use poem::{FromRequest, Request, RequestBody};

use super::service::ReaderService;
use http_kit::app::App;
use http_kit::config::ReaderLimits;
use http_kit::http::limits;
use http_kit::http::network::client_address;
use http_kit::problem::Problem;

/// Limit on job polls: number of polls, and window in seconds.
const POLLS: (u32, u32) = (120, 60);
/// Limit on replays of an `Idempotency-Key`, which are otherwise free: number of replays, and window in
/// seconds.
const REPLAYS: (u32, u32) = (120, 60);

tokio::task_local! {
    /// Limiter of the request that the current task answers.
    static CURRENT: RateLimiter;
}

/// Cost of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// No cost. The response still reports the limits.
    Free,
    /// Number of reads in one request. Charges 1 to the `burst` limit, and the number of reads to the
    /// `sustained` limit.
    Reads(u32),
    /// One job poll, under its own policy.
    Poll,
    /// One replay of a stored response, under its own policy.
    Replay,
}

/// Cost of an operation, for [`Charged`].
pub(super) trait Price: Send + Sync + 'static {
    const COST: Cost;
}

/// Cost of one read.
pub(super) struct OneRead;

/// Cost of one poll.
pub(super) struct OnePoll;

/// No cost.
pub(super) struct Free;

impl Price for OneRead {
    const COST: Cost = Cost::Reads(1);
}

impl Price for OnePoll {
    const COST: Cost = Cost::Poll;
}

impl Price for Free {
    const COST: Cost = Cost::Free;
}

/// Access to the reader for an operation that was charged the cost `P`. Operations with a body use
/// [`ChargedBody`](super::body::ChargedBody) or [`Idempotent`](super::idempotent::Idempotent) instead. There
/// is no other access to the reader.
pub(super) struct Charged<P>(Arc<ReaderService>, PhantomData<P>);

impl<P> Deref for Charged<P> {
    type Target = Arc<ReaderService>;

    fn deref(&self) -> &Arc<ReaderService> {
        &self.0
    }
}

impl<'a, P: Price> FromRequest<'a> for Charged<P> {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> poem::Result<Self> {
        let (reader, limiter) = prepared(request)?;
        limiter.charge(P::COST).await?;
        Ok(Self(Arc::clone(reader), PhantomData))
    }
}

/// Returns the reader and the limiter that the surface attached to a request.
pub(super) fn prepared(request: &Request) -> Result<(&Arc<ReaderService>, &RateLimiter), Problem> {
    let unprepared = || Problem::from(kernel::Error::internal("reader data is missing from the request"));
    let reader = request.data::<Arc<ReaderService>>().ok_or_else(unprepared)?;
    Ok((reader, request.data::<RateLimiter>().ok_or_else(unprepared)?))
}

/// Charges the network of one request.
#[derive(Clone)]
pub(super) struct RateLimiter {
    app: Arc<App>,
    network: Network,
    seen: Arc<ResponseLimits>,
}

/// Limit states of the response, and whether the request was charged.
#[derive(Default)]
struct ResponseLimits {
    is_charged: AtomicBool,
    states: Mutex<Vec<RateState>>,
}

impl RateLimiter {
    pub(super) fn new(app: Arc<App>, request: &Request) -> Self {
        let network = Network::of(client_address(request, &app.settings.trusted_proxies));
        Self { app, network, seen: Arc::default() }
    }

    /// Returns the network that is charged.
    pub(super) fn network(&self) -> &str {
        self.network.as_str()
    }

    /// Returns the caller for the fair share of jobs: a hash of the largest network that is commonly assigned
    /// to one person. It is a hash, because jobs are stored, and network addresses must not be stored.
    pub(super) fn caller(&self) -> String {
        format!("{:016x}", hash64(self.network.widest().as_bytes()))
    }

    /// Runs `work` with this limiter as the current one. Spawned tasks do not inherit it.
    pub(super) async fn scope<F: Future>(self, work: F) -> F::Output {
        CURRENT.scope(self, work).await
    }

    /// Returns the limiter of the request that the current task answers. `None` in a spawned task outside of
    /// a scope.
    pub(super) fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// Returns the network that is charged for renderings. `None` if limits are off.
    pub(super) fn rendering_network(&self) -> Option<Network> {
        let is_limited = !matches!(self.app.settings.reader_limits, ReaderLimits::Off);
        is_limited.then(|| self.network.hashed())
    }

    /// Charges the rendering of a page to the network of the current request. Returns false if its allowance
    /// is used up.
    pub(super) async fn charge_rendering() -> bool {
        let Some(limiter) = Self::current() else { return false };
        let Some(network) = limiter.rendering_network() else { return true };
        let Some(decision) = charge_rendering(&limiter.app.domain, &network).await else { return true };
        limiter.record(&decision);
        decision.allowed
    }

    /// Charges the cost, or refuses the request.
    ///
    /// # Errors
    /// A 429 problem if a limit is exceeded. Nothing is charged then.
    pub(super) async fn charge(&self, cost: Cost) -> Result<(), Problem> {
        self.seen.is_charged.store(true, Ordering::Relaxed);
        let decision = match cost {
            Cost::Free => self.check("read", self.reads(0, 0)).await,
            Cost::Reads(reads) => self.check("read", self.reads(1, reads)).await,
            Cost::Poll => self.check_separate("poll", POLLS).await,
            Cost::Replay => self.check_separate("replay", REPLAYS).await,
        };
        match decision {
            Some(decision) if !decision.allowed => Err(refusal(&decision)),
            Some(_) | None => Ok(()),
        }
    }

    /// Charges one read for a request that was refused before its operation could charge it. Without this
    /// charge, guessing parameters and keys would be free.
    ///
    /// # Errors
    /// A 429 problem if a limit is exceeded. It replaces the problem of the request.
    pub(super) async fn charge_refused(&self) -> Result<(), Problem> {
        if self.seen.is_charged.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.charge(Cost::Reads(1)).await
    }

    /// Writes the rate limit headers of a response.
    pub(super) async fn write(&self, headers: &mut HeaderMap) {
        if self.states().is_empty() {
            self.check("read", self.reads(0, 0)).await;
        }
        let states = self.states();
        if !states.is_empty() {
            limits::write(&states, headers);
        }
    }

    /// Checks and charges a separate limit, which the response lists after the limits of reads. Returns
    /// `None` if limits are off.
    async fn check_separate(
        &self,
        name: &'static str,
        (quota, seconds): (u32, u32),
    ) -> Option<LimitDecision> {
        if matches!(self.app.settings.reader_limits, ReaderLimits::Off) {
            return None;
        }
        self.check("read", self.reads(0, 0)).await;
        self.check(name, vec![RatePolicy::sliding(name, quota, seconds)]).await
    }

    async fn check(&self, kind: &str, policies: Vec<RatePolicy>) -> Option<LimitDecision> {
        if policies.is_empty() {
            return None;
        }
        let limits = self.app.domain.limits();
        let (windows, counters) = (limits.windows(), self.network.counters(kind, &policies));
        let charges = windows.check_each(counters, self.app.domain.now()).await;
        let decision = charges.decision()?;
        self.record(decision);
        Some(decision.clone())
    }

    /// Records the states of a decision for the headers of the response.
    fn record(&self, decision: &LimitDecision) {
        let mut states = self.seen.states.lock().unwrap_or_else(PoisonError::into_inner);
        for state in &decision.states {
            match states.iter_mut().find(|known| known.name == state.name) {
                Some(known) => *known = *state,
                None => states.push(*state),
            }
        }
    }

    fn reads(&self, burst_cost: u32, sustained_cost: u32) -> Vec<RatePolicy> {
        match self.app.settings.reader_limits {
            ReaderLimits::Off => Vec::new(),
            ReaderLimits::On { burst, sustained } => vec![
                RatePolicy::sliding("burst", burst.0, burst.1).with_cost(burst_cost),
                RatePolicy::sliding("sustained", sustained.0, sustained.1).with_cost(sustained_cost),
            ],
        }
    }

    fn states(&self) -> Vec<RateState> {
        self.seen.states.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn refusal(decision: &LimitDecision) -> Problem {
    let violated: Vec<&'static str> = decision.violated().collect();
    let detail = format!("The limit `{}` of this network is exhausted.", violated.join("` and `"));
    Problem { retry_after: Some(decision.retry_after()), violated, ..Problem::new(Code::RateLimited, detail) }
}
