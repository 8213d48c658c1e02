//! The reader's limits around one request: charged where the cost is known, shown on every answer.

use std::sync::{Arc, Mutex, PoisonError};

use domain::limits::window::{Decision, Policy};
use poem::Request;
use poem::http::{HeaderMap, HeaderValue};

use crate::app::App;
use crate::config::ReaderLimits;
use crate::http::network::{client_address, network_of};
use crate::problem::Problem;

/// The limit on polling a job: requests and seconds.
const POLLS: (u32, u32) = (120, 60);

/// Counts one request of one network.
#[derive(Clone)]
pub(super) struct Meter {
    app: Arc<App>,
    network: String,
    shown: Arc<Mutex<Option<Decision>>>,
}

/// What a request costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// One read.
    Read,
    /// So many reads in one request.
    Batch(u32),
    /// Nothing; the limits are shown all the same.
    Nothing,
    /// One poll of a job, which has a guard of its own.
    Poll,
}

impl Meter {
    /// A meter for `request`.
    pub(super) fn new(app: Arc<App>, request: &Request) -> Self {
        let network = network_of(client_address(request, &app.settings.trusted_proxies));
        Self { app, network, shown: Arc::default() }
    }

    /// The network that is counted.
    pub(super) fn network(&self) -> &str {
        &self.network
    }

    /// Charges the cost, or refuses.
    ///
    /// # Errors
    /// A 429 problem; nothing was charged then.
    pub(super) async fn charge(&self, cost: Cost) -> Result<(), Problem> {
        if cost != Cost::Poll && matches!(self.app.settings.reader_limits, ReaderLimits::Off) {
            return Ok(());
        }
        let (key, policies) = match cost {
            Cost::Poll => (format!("poll:{}", self.network), vec![Policy::sliding("poll", POLLS.0, POLLS.1)]),
            Cost::Read => (self.key(), self.policies(1, 1)),
            Cost::Batch(reads) => (self.key(), self.policies(1, reads)),
            Cost::Nothing => (self.key(), self.policies(0, 0)),
        };
        if policies.is_empty() {
            return Ok(());
        }
        let decision = self.app.windows.check(&key, &policies, self.app.domain.now()).await;
        let refusal = (!decision.allowed).then(|| refuse(&decision));
        *self.lock() = Some(decision);
        refusal.map_or(Ok(()), Err)
    }

    /// What a request costs that was refused before any operation could charge it: what a good one does, or
    /// guessing would be free.
    ///
    /// # Errors
    /// A 429 problem in place of the request's own.
    pub(super) async fn charge_refused(&self) -> Result<(), Problem> {
        let is_charged = self.lock().is_some();
        if is_charged { Ok(()) } else { self.charge(Cost::Read).await }
    }

    /// Writes the limit fields (draft-ietf-httpapi-ratelimit-headers-10 and the older families).
    pub(super) async fn show(&self, headers: &mut HeaderMap) {
        let known = self.lock().is_some();
        if !known && self.charge(Cost::Nothing).await.is_err() {
            return;
        }
        let Some(decision) = self.lock().clone() else { return };
        write(&decision, headers);
    }

    fn key(&self) -> String {
        format!("read:{}", self.network)
    }

    fn policies(&self, burst_cost: u32, sustained_cost: u32) -> Vec<Policy> {
        match self.app.settings.reader_limits {
            ReaderLimits::Off => Vec::new(),
            ReaderLimits::On { burst, sustained } => vec![
                Policy::sliding("burst", burst.0, burst.1).costing(burst_cost),
                Policy::sliding("sustained", sustained.0, sustained.1).costing(sustained_cost),
            ],
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Decision>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refuse(decision: &Decision) -> Problem {
    let violated: Vec<&'static str> = decision.violated().collect();
    let detail = format!("The limit `{}` of this network is used up.", violated.join("` and `"));
    Problem { retry_after: Some(decision.retry_after()), violated, ..Problem::new("rate_limited", detail) }
}

fn write(decision: &Decision, headers: &mut HeaderMap) {
    let policy: Vec<String> =
        decision.states.iter().map(|s| format!("\"{}\";q={};w={}", s.name, s.quota, s.window_s)).collect();
    let current: Vec<String> =
        decision.states.iter().map(|s| format!("\"{}\";r={};t={}", s.name, s.remaining, s.reset_s)).collect();
    let mut put = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    put("ratelimit-policy", &policy.join(", "));
    put("ratelimit", &current.join(", "));
    if let Some(tightest) = decision.tightest() {
        let (limit, remaining, reset) =
            (tightest.quota.to_string(), tightest.remaining.to_string(), tightest.reset_s.to_string());
        put("ratelimit-limit", &limit);
        put("ratelimit-remaining", &remaining);
        put("ratelimit-reset", &reset);
        put("x-ratelimit-limit", &limit);
        put("x-ratelimit-remaining", &remaining);
        put("x-ratelimit-reset", &reset);
    }
}
