//! Which of several schedulers ticks. The others look from time to time whether it still does.

use std::time::{Duration, Instant};

use crate::rows;
use kernel::Backend;
use tokio::sync::Mutex;

use crate::engine::Engine;

/// How long a leader is believed to be alive without a sign, in milliseconds. Two that lead at once do no harm, so a slow
/// one may well lose it; one that was killed is followed within this time and a tick.
const LEASE_MS: i64 = 2_500;
/// Between two questions: each tick asks.
const ASK: Duration = Duration::from_millis(900);

/// This process' part in it.
pub(crate) struct Leadership {
    engine: Engine,
    /// Names this process and no other.
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

    /// Whether this process leads. An embedded database has one process; where nobody can be asked, nothing changes.
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
                tracing::debug!(%error, "nobody knows which scheduler leads");
                asked.as_ref().is_none_or(|asked| asked.leads)
            }
        };
        *asked = Some(Asked { at, leads });
        leads
    }

    /// Whether this process led when that was asked last.
    pub(crate) async fn led(&self) -> bool {
        self.asked.lock().await.as_ref().is_none_or(|asked| asked.leads)
    }

    /// Lets another lead at once.
    pub(crate) async fn resign(&self) {
        if self.asked.lock().await.as_ref().is_some_and(|asked| asked.leads)
            && let Err(error) = rows::resign(self.engine.domain(), &self.holder).await
        {
            tracing::debug!(%error, "another scheduler leads when this one is not heard of any more");
        }
    }
}
