//! Counting windows: several policies over one key, checked and charged in one atomic step.
//!
//! A sliding policy is an exact log of the last seconds; a day policy is a counter of one UTC calendar
//! day. A refused request is counted by none of its policies. The public reader counts addresses with
//! it, the Developer API accounts, sign-in attempts both.
//!
//! Alone in one process the counts live in bounded memory. With Redis they are shared by all processes
//! through one script, on PostgreSQL alone through one row a key. **When the shared counts are away the
//! process counts for itself** until they are back: a limiter that hiccups must neither refuse every caller
//! nor let everybody through. What that gives away is at most one quota per process and outage.

mod entry;
mod memory;
mod outage;
mod policy;
mod rows;
mod several;
mod shared;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use self::policy::day_of;
use self::policy::decision;
pub use self::policy::{Decision, RatePolicy, RateState, Span, Time};
pub use self::several::{Charges, Counter};
use kernel::clock::Millis;
use kernel::db::{Backend, Database};

/// The counters. Cheap to clone; all clones count together.
#[derive(Clone)]
pub struct Windows {
    local: Arc<memory::Memory>,
    shared: Option<Arc<Shared>>,
}

/// Where all processes count together.
enum Shared {
    Redis(Box<shared::Shared>),
    Rows(Box<rows::Rows>),
}

impl Windows {
    /// Counters in this process only, for the embedded mode.
    pub fn memory() -> Self {
        Self { local: Arc::new(memory::Memory::default()), shared: None }
    }

    /// Counters shared by all processes through Redis, under keys that start with `prefix`. `time` says
    /// whose clock the sliding windows go by. No connection is made before the first check.
    ///
    /// # Errors
    /// When the client's address can never be connected to.
    pub fn redis(client: &redis::Client, prefix: &str, time: Time) -> Result<Self, redis::RedisError> {
        let shared = shared::Shared::new(client, prefix, time)?;
        Ok(Self::shared_by(Shared::Redis(Box::new(shared))))
    }

    /// Counters shared by all processes through their PostgreSQL database, for deployments without Redis. On an
    /// embedded database, which one process has for itself, they stand in memory.
    pub fn database(db: &Database, time: Time) -> Self {
        match db.backend() {
            Backend::Sqlite => Self::memory(),
            Backend::Postgres => Self::shared_by(Shared::Rows(Box::new(rows::Rows::new(db.clone(), time)))),
        }
    }

    fn shared_by(shared: Shared) -> Self {
        Self { local: Arc::new(memory::Memory::default()), shared: Some(Arc::new(shared)) }
    }

    /// Checks all `policies` for `key` at `now` and charges either all of them or none.
    ///
    /// `now` comes from the domain's clock. It decides the calendar day, and the sliding windows too
    /// unless they go by the clock of the shared counts.
    pub async fn check(&self, key: &str, policies: &[RatePolicy], now: Millis) -> Decision {
        if let Some(shared) = &self.shared
            && let Some(counted) = shared.check(key, policies, now).await
        {
            return decision(policies, &counted, now);
        }
        decision(policies, &self.local.check(key, policies, now), now)
    }

    /// How many keys this process counts under.
    #[cfg(test)]
    pub fn keys(&self) -> usize {
        self.local.keys()
    }

    /// Gives back what an allowed check charged under `policies`: what was asked for did not happen.
    /// Nothing happens to what is no longer in its window.
    pub async fn refund(&self, key: &str, policies: &[RatePolicy], charged: &Decision) {
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
}

impl Shared {
    async fn check(&self, key: &str, policies: &[RatePolicy], now: Millis) -> Option<policy::Counted> {
        match self {
            Self::Redis(redis) => redis.check(key, policies, now).await,
            Self::Rows(rows) => rows.check(key, policies, now).await,
        }
    }

    async fn refund(&self, key: &str, policies: &[RatePolicy], charged: &Decision) -> bool {
        match self {
            Self::Redis(redis) => redis.refund(key, policies, charged).await,
            Self::Rows(rows) => rows.refund(key, policies, charged).await,
        }
    }
}

impl std::fmt::Debug for Windows {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Windows").field("shared", &self.shared.is_some()).finish_non_exhaustive()
    }
}
