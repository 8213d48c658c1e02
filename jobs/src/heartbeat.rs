//! Heartbeat of a process: one statement renews the leases of all its running jobs. Runs whose lease is lost
//! are notified. The heartbeat stops while no jobs run.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::rows::{self, Claimed, Mark};
use kernel::{Domain, Millis};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::duration::millis;

/// Maximum number of leases per statement.
const MOST: usize = 500;

/// Leases of the jobs that run in this process.
#[derive(Clone, Default)]
pub(crate) struct Heartbeat(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    held: HashMap<u64, Held>,
    next: u64,
    is_beating: bool,
}

struct Held {
    mark: Mark,
    lost: CancellationToken,
}

/// Lease that is renewed until this is dropped.
pub(crate) struct Lease {
    heartbeat: Heartbeat,
    number: u64,
    lost: CancellationToken,
}

impl Lease {
    /// Waits until the claim is no longer the newest.
    pub(crate) async fn lost(&self) {
        self.lost.cancelled().await;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.heartbeat.lock().held.remove(&self.number);
    }
}

impl Heartbeat {
    /// Renews the lease of this claim from now on, at a third of its length.
    pub(crate) fn keep(&self, domain: &Domain, claimed: &Claimed, lease_ms: Millis) -> Lease {
        let (lost, held) = (CancellationToken::new(), Mark::from(claimed));
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        state.held.insert(number, Held { mark: held, lost: lost.clone() });
        if !std::mem::replace(&mut state.is_beating, true) {
            tokio::spawn(beat(self.clone(), domain.clone(), lease_ms));
        }
        Lease { heartbeat: self.clone(), number, lost }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registered claims. If there are none, the heartbeat may stop.
    fn marks(&self) -> Vec<Mark> {
        let mut state = self.lock();
        state.is_beating = !state.held.is_empty();
        state.held.values().map(|held| held.mark.clone()).collect()
    }

    fn tell(&self, lost: &[Mark]) {
        let state = self.lock();
        for held in state.held.values().filter(|held| lost.contains(&held.mark)) {
            held.lost.cancel();
        }
    }
}

/// Renews leases until no job runs. An unavailable database does not end any run: the fence decides when the
/// effect is written.
async fn beat(heartbeat: Heartbeat, domain: Domain, lease_ms: Millis) {
    let mut ticks = interval(between_beats(lease_ms));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    loop {
        ticks.tick().await;
        let marks = heartbeat.marks();
        if marks.is_empty() {
            return;
        }
        for chunk in marks.chunks(MOST) {
            match rows::renew_all(&domain, chunk, lease_ms).await {
                Ok(lost) => heartbeat.tell(&lost),
                Err(error) => tracing::warn!(%error, count = chunk.len(), "failed to renew leases"),
            }
        }
    }
}

/// A third of a lease, so that two heartbeats may be missed.
fn between_beats(lease_ms: Millis) -> Duration {
    millis((lease_ms / 3).max(1))
}

#[cfg(test)]
mod tests {
    use crate::rows::{JobKind, NewJob};
    use kernel::Backend;
    use kernel::testing::TestDatabase;

    use super::*;

    #[tokio::test]
    async fn heartbeat_covers_running_jobs_and_stops_without_any() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let (domain, heartbeat) = (&test.domain, Heartbeat::default());
        let keep = async |key: &str| {
            let id = rows::submit_by_itself(domain, NewJob::new(JobKind::ReadJob, key)).await.unwrap().id;
            let claimed = rows::claim(domain, id, "worker", 60_000).await.unwrap().unwrap();
            (Mark::from(&claimed), heartbeat.keep(domain, &claimed, 60_000))
        };
        let ((_, first), (mark, second)) = (keep("a").await, keep("b").await);
        assert_eq!((heartbeat.marks().len(), heartbeat.lock().is_beating), (2, true));
        drop(first);
        assert_eq!(heartbeat.marks(), [mark]);
        drop(second);
        assert_eq!((heartbeat.marks(), heartbeat.lock().is_beating), (Vec::new(), false));
    }

    #[test]
    fn lease_is_renewed_at_a_third_of_its_length() {
        assert_eq!(between_beats(30_000), Duration::from_secs(10));
        assert_eq!(between_beats(2), Duration::from_millis(1), "the interval is never zero");
    }
}
