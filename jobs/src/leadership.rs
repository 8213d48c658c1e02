//! Leader election of schedulers: only the leader ticks. Other schedulers check periodically whether the
//! leader is still alive.

use std::time::{Duration, Instant};

use crate::rows;
use kernel::Backend;
use tokio::sync::Mutex;

use crate::engine::Engine;

/// Lease of the leader, in milliseconds. Two concurrent leaders are harmless, so a slow leader may lose the
/// lease. A killed leader is replaced within this time plus a tick.
const LEASE_MS: i64 = 2_500;
/// Time for which the result of a check is reused. Shorter than a tick, so that each tick checks.
const CHECK_TTL: Duration = Duration::from_millis(900);

/// Leadership state of this process.
pub(crate) struct Leadership {
    engine: Engine,
    /// Unique name of this process.
    holder: String,
    last_check: Mutex<Option<LeaderCheck>>,
}

struct LeaderCheck {
    at: Instant,
    leads: bool,
}

impl Leadership {
    pub(crate) fn new(engine: &Engine) -> Self {
        let random = u64::from_le_bytes(engine.domain().random::<8>());
        let holder = format!("{}-{random:016x}", std::process::id());
        Self { engine: engine.clone(), holder, last_check: Mutex::default() }
    }

    /// Acquires or renews the leadership. Returns true if this process leads. An embedded database has one
    /// process, which always leads. If the database is unavailable, the previous result applies.
    pub(crate) async fn acquire(&self) -> bool {
        if self.engine.domain().db().backend() == Backend::Sqlite {
            return true;
        }
        let mut last_check = self.last_check.lock().await;
        if let Some(last_check) = last_check.as_ref().filter(|last_check| last_check.at.elapsed() < CHECK_TTL)
        {
            return last_check.leads;
        }
        let at = Instant::now();
        let leads = match rows::lead(self.engine.domain(), &self.holder, LEASE_MS).await {
            Ok(leads) => leads,
            Err(error) => {
                tracing::debug!(%error, "failed to check scheduler leadership");
                last_check.as_ref().is_none_or(|last_check| last_check.leads)
            }
        };
        *last_check = Some(LeaderCheck { at, leads });
        leads
    }

    /// Returns true if this process led at the last check, or has not checked yet.
    pub(crate) async fn was_leader(&self) -> bool {
        self.last_check.lock().await.as_ref().is_none_or(|last_check| last_check.leads)
    }

    /// Gives up the leadership, so that another scheduler can acquire it immediately.
    pub(crate) async fn resign(&self) {
        if self.last_check.lock().await.as_ref().is_some_and(|last_check| last_check.leads)
            && let Err(error) = rows::resign(self.engine.domain(), &self.holder).await
        {
            tracing::debug!(%error, "failed to resign leadership, waiting for the lease to expire");
        }
    }
}
