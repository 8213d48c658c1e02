//! Leader election of schedulers: only the leader ticks. The others check periodically whether it still does.

use std::time::{Duration, Instant};

use crate::rows;
use kernel::Backend;
use tokio::sync::Mutex;

use crate::engine::Engine;

/// Lease of the leader, in milliseconds. Two concurrent leaders are harmless, so a slow leader may lose the
/// lease. A killed leader is replaced within this time plus a tick.
const LEASE_MS: i64 = 2_500;
/// Time for which the result of a check is reused. Shorter than a tick, so that each tick checks.
const ASK: Duration = Duration::from_millis(900);

/// Leadership state of this process.
pub(crate) struct Leadership {
    engine: Engine,
    /// Unique name of this process.
    holder: String,
    asked: Mutex<Option<Asked>>,
}

struct Asked {
    at: Instant,
    leads: bool,
}

impl Leadership {
    pub(crate) fn new(engine: &Engine) -> Self {
        let random = u64::from_le_bytes(engine.domain().random::<8>());
        let holder = format!("{}-{random:016x}", std::process::id());
        Self { engine: engine.clone(), holder, asked: Mutex::default() }
    }

    /// Takes or renews the leadership. Returns whether this process leads. An embedded database has one
    /// process, which always leads. If the database is unavailable, the previous result applies.
    pub(crate) async fn hold(&self) -> bool {
        if self.engine.domain().db().backend() == Backend::Sqlite {
            return true;
        }
        let mut asked = self.asked.lock().await;
        if let Some(asked) = asked.as_ref().filter(|asked| asked.at.elapsed() < ASK) {
            return asked.leads;
        }
        let at = Instant::now();
        let leads = match rows::lead(self.engine.domain(), &self.holder, LEASE_MS).await {
            Ok(leads) => leads,
            Err(error) => {
                tracing::debug!(%error, "failed to check scheduler leadership");
                asked.as_ref().is_none_or(|asked| asked.leads)
            }
        };
        *asked = Some(Asked { at, leads });
        leads
    }

    /// Whether this process led at the last check.
    pub(crate) async fn led(&self) -> bool {
        self.asked.lock().await.as_ref().is_none_or(|asked| asked.leads)
    }

    /// Gives up the leadership, so that another scheduler can take it immediately.
    pub(crate) async fn resign(&self) {
        if self.asked.lock().await.as_ref().is_some_and(|asked| asked.leads)
            && let Err(error) = rows::resign(self.engine.domain(), &self.holder).await
        {
            tracing::debug!(%error, "failed to resign leadership, waiting for the lease to expire");
        }
    }
}
