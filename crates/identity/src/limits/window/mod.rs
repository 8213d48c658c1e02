//! Counting windows: several policies over one key, checked and charged in one atomic step.
//!
//! A sliding policy is an exact log of the last seconds; a day policy is a counter of one UTC calendar day. A
//! refused request is not charged to any policy. The public reader counts by network address, the Developer
//! API by account, and sign-in by both.
//!
//! A single process stores the counts in bounded memory. With Redis, all processes share them through one script; with
//! PostgreSQL alone, through one row per key. **If the shared counts are unavailable, each process counts on its own**
//! until they are available again: a failing limiter must neither refuse every caller nor allow all. During an outage,
//! each process thus allows at most one additional quota.

mod charges;
mod key_counters;
mod memory;
mod outage;
mod policy;
mod postgres_store;
mod redis_store;
#[cfg(test)]
mod tests;

use async_recursion::async_recursion as boxed;
use std::sync::Arc;

pub use self::charges::{Charges, Counter};
pub use self::policy::day_of;
use self::policy::decision;
pub use self::policy::{ClockSource, LimitDecision, RatePolicy, RateState, Span};
use kernel::{Backend, Database, Millis};

/// The counters. Cheap to clone; clones share their counters.
#[derive(Clone)]
pub struct Windows {
    local: Arc<memory::MemoryStore>,
    shared: Option<Arc<SharedStore>>,
}

/// Store of the counts shared by all processes.
enum SharedStore {
    Redis(Box<redis_store::RedisStore>),
    Postgres(Box<postgres_store::PostgresStore>),
}

impl Windows {
    /// Creates counters in the memory of this process, for embedded mode.
    pub fn memory() -> Self {
        Self { local: Arc::new(memory::MemoryStore::default()), shared: None }
    }

    /// Creates counters that all processes share through Redis, under keys that start with `prefix`. `time`
    /// selects the clock of the sliding windows. No connection is opened before the first check.
    ///
    /// # Errors
    /// If the client's address is invalid.
    pub fn redis(client: &redis::Client, prefix: &str, time: ClockSource) -> Result<Self, redis::RedisError> {
        let shared = redis_store::RedisStore::new(client, prefix, time)?;
        Ok(Self::shared_by(SharedStore::Redis(Box::new(shared))))
    }

    /// Creates counters that all processes share through PostgreSQL, for deployments without Redis. With an
    /// embedded database, which only one process uses, they are in memory.
    pub fn database(db: &Database, time: ClockSource) -> Self {
        match db.backend() {
            Backend::Sqlite => Self::memory(),
            Backend::Postgres => Self::shared_by(SharedStore::Postgres(Box::new(
                postgres_store::PostgresStore::new(db.clone(), time),
            ))),
        }
    }

    fn shared_by(shared: SharedStore) -> Self {
        Self { local: Arc::new(memory::MemoryStore::default()), shared: Some(Arc::new(shared)) }
    }

    /// Checks all `policies` for `key` at `now` and charges either all of them or none.
    ///
    /// `now` is the time of the domain's clock. It determines the calendar day, and also the sliding windows
    /// unless they use the clock of the shared store.
    #[boxed]
    pub async fn check(&self, key: &str, policies: &[RatePolicy], now: Millis) -> LimitDecision {
        if let Some(shared) = &self.shared
            && let Some(counted) = shared.check(key, policies, now).await
        {
            return decision(policies, &counted, now);
        }
        decision(policies, &self.local.check(key, policies, now), now)
    }

    /// Number of rate-limit keys tracked in memory.
    #[cfg(test)]
    pub fn keys(&self) -> usize {
        self.local.keys()
    }

    /// Refunds the charges of an allowed check of `policies`, because the operation did not happen. Charges
    /// that have left their window are ignored.
    #[boxed]
    pub async fn refund(&self, key: &str, policies: &[RatePolicy], charged: &LimitDecision) {
        if !charged.allowed {
            return;
        }
        if let Some(shared) = &self.shared
            && shared.refund(key, policies, charged).await
        {
            return;
        }
        self.local.refund(key, policies, charged);
    }

    /// Refunds a charge made at time `at` to the counters of its day. For charges whose decision no longer exists.
    #[boxed]
    pub async fn refund_day(&self, key: &str, policies: &[RatePolicy], at: Millis) {
        let charged = LimitDecision { allowed: true, states: Vec::new(), at, day: day_of(at) };
        self.refund(key, policies, &charged).await;
    }
}

impl SharedStore {
    async fn check(&self, key: &str, policies: &[RatePolicy], now: Millis) -> Option<policy::CheckCounts> {
        match self {
            Self::Redis(redis) => redis.check(key, policies, now).await,
            Self::Postgres(rows) => rows.check(key, policies, now).await,
        }
    }

    async fn refund(&self, key: &str, policies: &[RatePolicy], charged: &LimitDecision) -> bool {
        match self {
            Self::Redis(redis) => redis.refund(key, policies, charged).await,
            Self::Postgres(rows) => rows.refund(key, policies, charged).await,
        }
    }
}

impl std::fmt::Debug for Windows {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Windows").field("shared", &self.shared.is_some()).finish_non_exhaustive()
    }
}
