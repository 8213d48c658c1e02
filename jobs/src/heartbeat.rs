//! Heartbeat of a process: one statement renews the leases of all its running jobs. A run is notified if its
//! lease is lost. The heartbeat stops while no jobs run.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::rows::{self, ClaimId, Claimed};
use kernel::{Domain, Millis};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::duration::millis;

/// Maximum number of leases per statement.
const MAX_BATCH: usize = 500;

/// Leases of the jobs that run in this process.
#[derive(Clone, Default)]
pub(crate) struct Heartbeat(Arc<Mutex<HeartbeatState>>);

#[derive(Default)]
struct HeartbeatState {
    leases: HashMap<u64, RegisteredLease>,
    next: u64,
    is_beating: bool,
}

struct RegisteredLease {
    claim_id: ClaimId,
    lost: CancellationToken,
}

/// Lease that is renewed until this value is dropped.
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
        self.heartbeat.lock().leases.remove(&self.number);
    }
}

impl Heartbeat {
    /// Renews the lease of this claim from now on, at intervals of a third of the lease.
    pub(crate) fn register(&self, domain: &Domain, claimed: &Claimed, lease_ms: Millis) -> Lease {
        let (lost, claim_id) = (CancellationToken::new(), ClaimId::from(claimed));
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        state.leases.insert(number, RegisteredLease { claim_id, lost: lost.clone() });
        if !std::mem::replace(&mut state.is_beating, true) {
            tokio::spawn(beat(self.clone(), domain.clone(), lease_ms));
        }
        Lease { heartbeat: self.clone(), number, lost }
    }

    fn lock(&self) -> MutexGuard<'_, HeartbeatState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the registered claims. If there are none, the heartbeat may stop.
    fn registered_claims(&self) -> Vec<ClaimId> {
        let mut state = self.lock();
        state.is_beating = !state.leases.is_empty();
        state.leases.values().map(|lease| lease.claim_id.clone()).collect()
    }

    fn notify_lost(&self, lost: &[ClaimId]) {
        let state = self.lock();
        for lease in state.leases.values().filter(|lease| lost.contains(&lease.claim_id)) {
            lease.lost.cancel();
        }
    }
}

/// Renews the leases until no job runs. Runs continue while the database is unavailable, because the fence is
/// checked when the effect is written.
async fn beat(heartbeat: Heartbeat, domain: Domain, lease_ms: Millis) {
    let mut ticks = interval(beat_interval(lease_ms));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    loop {
        ticks.tick().await;
        let claims = heartbeat.registered_claims();
        if claims.is_empty() {
            return;
        }
        for chunk in claims.chunks(MAX_BATCH) {
            match rows::renew_all(&domain, chunk, lease_ms).await {
                Ok(lost) => heartbeat.notify_lost(&lost),
                Err(error) => tracing::warn!(%error, count = chunk.len(), "failed to renew leases"),
            }
        }
    }
}

/// Returns the interval between heartbeats: a third of a lease, so that two heartbeats may be missed.
fn beat_interval(lease_ms: Millis) -> Duration {
    millis((lease_ms / 3).max(1))
}

#[cfg(test)]
mod tests {
    use crate::rows::{JobKind, NewJob};
    use kernel::Backend;
    use kernel::testing::TestDatabase;

    use super::*;

    #[tokio::test]
    async fn heartbeat_renews_leases_and_stops_when_no_job_runs() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let (domain, heartbeat) = (&test.domain, Heartbeat::default());
        let keep_alive = async |key: &str| {
            let id = rows::submit_batched(domain, NewJob::new(JobKind::ReadJob, key)).await.unwrap().id;
            let claimed = rows::claim(domain, id, "worker", 60_000).await.unwrap().unwrap();
            (ClaimId::from(&claimed), heartbeat.register(domain, &claimed, 60_000))
        };
        let ((_, first), (claim_id, second)) = (keep_alive("a").await, keep_alive("b").await);
        assert_eq!((heartbeat.registered_claims().len(), heartbeat.lock().is_beating), (2, true));
        drop(first);
        assert_eq!(heartbeat.registered_claims(), [claim_id]);
        drop(second);
        assert_eq!((heartbeat.registered_claims(), heartbeat.lock().is_beating), (Vec::new(), false));
    }

    #[test]
    fn lease_is_renewed_at_a_third_of_its_length() {
        assert_eq!(beat_interval(30_000), Duration::from_secs(10));
        assert_eq!(beat_interval(2), Duration::from_millis(1), "the interval is at least a millisecond");
    }
}
