//! Announcement of new events within a process. While a page waits, one task per process polls the end of the event
//! log, so that the number of queries does not depend on the number of waiting pages.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::changes::log_end;
use kernel::Domain;

/// Interval at which the end of the log is polled.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// Last known end of the event log.
struct LogWatch {
    end: watch::Sender<i64>,
    /// True while a task polls the log.
    is_polling: Mutex<bool>,
}

/// Returns a receiver that is notified when the event log has grown, including by events of other accounts.
/// The log is polled until all receivers are dropped.
pub fn watch_log(domain: &Domain) -> watch::Receiver<i64> {
    let log = domain.shared(|| LogWatch { end: watch::Sender::new(0), is_polling: Mutex::new(false) });
    let mut is_polling = log.lock();
    let receiver = log.end.subscribe();
    if !*is_polling {
        *is_polling = true;
        tokio::spawn(poll(domain.clone(), Arc::clone(&log)));
    }
    drop(is_polling);
    receiver
}

impl LogWatch {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_polling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if there is no receiver. In that case, the next receiver starts another task.
    fn is_unused(&self) -> bool {
        let mut is_polling = self.lock();
        let is_unused = self.end.receiver_count() == 0;
        if is_unused {
            *is_polling = false;
        }
        is_unused
    }
}

async fn poll(domain: Domain, log: Arc<LogWatch>) {
    let mut ticks = interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if log.is_unused() {
            return;
        }
        match log_end(&domain).await {
            Ok(end) => {
                log.end.send_if_modified(|known| {
                    let has_grown = end > *known;
                    *known = end.max(*known);
                    has_grown
                });
            }
            Err(error) => tracing::warn!(error = error.report(), "failed to poll the event log"),
        }
    }
}
