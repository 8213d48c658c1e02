//! Claims of jobs, and claimed jobs that have not started.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::rows::{self, Candidates, Claimed, JobKind, SlotPermit};
use kernel::{Error, JobId};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::retry::retry_while_unavailable;
use crate::transport::QueueItem;

/// Delay before a job whose row was locked is pushed again.
const LOCKED_ROW_DELAY: Duration = Duration::from_millis(20);

/// A claimed job that has not started. Dropping it releases the claim.
pub(crate) struct ClaimGuard {
    engine: Engine,
    claimed: Option<Claimed>,
}

impl ClaimGuard {
    pub(crate) fn new(engine: &Engine, claimed: Claimed) -> Self {
        Self { engine: engine.clone(), claimed: Some(claimed) }
    }

    /// Takes the claim out of the guard to start its run. `None` if the claim was already released.
    pub(crate) fn start(mut self) -> Option<Claimed> {
        self.claimed.take()
    }
}

impl Drop for ClaimGuard {
    fn drop(&mut self) {
        let Some(claimed) = self.claimed.take() else { return };
        // If the process exits immediately, the lease expires instead.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let engine = self.engine.clone();
            runtime.spawn(async move { release_claim(&engine, &claimed).await });
        }
    }
}

/// Releases the claim without counting the attempt, and pushes the job for other workers. Returns true if the
/// claim was released.
pub(crate) async fn release_claim(engine: &Engine, claimed: &Claimed) -> bool {
    match rows::release(engine.domain(), claimed).await {
        Ok(()) => {
            // Another process may claim the job immediately. Otherwise the sweep at the next start finds it.
            engine.push_again(claimed).await;
            claimed.slot.release();
            true
        }
        Err(error) => {
            if !rows::is_lease_lost(&error) {
                tracing::error!(%error, job = %claimed.id, "failed to release claim, its lease will expire");
            }
            false
        }
    }
}

/// Claims jobs for one worker. Retries while the database is unavailable, until `release_now` is cancelled.
#[derive(Clone)]
pub(crate) struct Claimer {
    pub(crate) engine: Engine,
    pub(crate) kind: JobKind,
    pub(crate) worker: Arc<str>,
    pub(crate) release_now: CancellationToken,
}

impl Claimer {
    /// Claims the ready jobs among `items`, each with its own slot. The other jobs have ended, belong to another
    /// worker, or have locked rows. Jobs with locked rows are pushed again.
    pub(crate) async fn claim(
        &self,
        items: Vec<QueueItem>,
        slots: Vec<OwnedSemaphorePermit>,
    ) -> Vec<ClaimGuard> {
        let ids: Vec<JobId> = items.iter().map(|item| item.id()).collect();
        let claims = match self.claim_ids(&ids, self.is_limited()).await {
            Ok(claims) => claims,
            Err(error) => {
                tracing::error!(%error, kind = %self.kind, jobs = ids.len(), "failed to claim jobs");
                return Vec::new();
            }
        };
        if claims.len() < items.len() {
            self.push_locked_again(items, &claims).await;
        }
        self.assign_slots(claims, slots)
    }

    /// Claims the next due jobs directly from the rows, each with its own slot.
    pub(crate) async fn claim_next(
        &self,
        slots: Vec<OwnedSemaphorePermit>,
    ) -> Result<Vec<ClaimGuard>, Error> {
        let (engine, most, name) = (&self.engine, slots.len(), self.name());
        let claim = (name.as_str(), engine.settings().lease_ms);
        let is_repeated = &AtomicBool::new(false);
        let step = || async move {
            if is_repeated.swap(true, Ordering::Relaxed) {
                let claims = rows::resume_next(engine.domain(), self.kind, claim).await?;
                if !claims.is_empty() {
                    return Ok(claims);
                }
            }
            if self.is_limited() {
                return rows::claim_within_limits(engine.domain(), self.kind, Candidates::Next(most), claim)
                    .await;
            }
            rows::claim_next(engine.domain(), self.kind, most, claim).await
        };
        let claims = retry_while_unavailable(&self.release_now, "claim", step).await?;
        Ok(self.assign_slots(claims, slots))
    }

    /// Returns true if the kind has limits, so that its claims must be counted.
    pub(crate) fn is_limited(&self) -> bool {
        self.engine.is_limited(self.kind)
    }

    /// Returns the number of jobs of the kind that may start now within its limits.
    pub(crate) async fn free_slots(&self) -> Result<usize, Error> {
        if self.is_limited() {
            rows::free_slots(self.engine.domain(), self.kind).await
        } else {
            Ok(usize::MAX)
        }
    }

    fn assign_slots(&self, claims: Vec<Claimed>, slots: Vec<OwnedSemaphorePermit>) -> Vec<ClaimGuard> {
        let pairs = claims.into_iter().zip(slots.into_iter().map(SlotPermit::new));
        pairs.map(|(claimed, permit)| ClaimGuard::new(&self.engine, claimed.with_slot(permit))).collect()
    }

    /// Creates a unique name for a set of claims. After a broken connection, the claims are queried by this
    /// name.
    pub(crate) fn name(&self) -> String {
        format!("{}.{:016x}", self.worker, u64::from_le_bytes(self.engine.domain().random::<8>()))
    }

    /// Claims one job. `None` if another worker has the job, it has ended, or the claim failed.
    pub(crate) async fn claim_one(&self, id: JobId) -> Option<Claimed> {
        match self.claim_ids(&[id], false).await {
            Ok(claims) => claims.into_iter().next(),
            Err(error) => {
                tracing::error!(%error, job = %id, "failed to claim job");
                None
            }
        }
    }

    async fn claim_ids(&self, ids: &[JobId], is_limited: bool) -> Result<Vec<Claimed>, Error> {
        let (domain, lease) = (self.engine.domain(), self.engine.settings().lease_ms);
        let name = self.name();
        let is_repeated = AtomicBool::new(false);
        let (name, is_repeated) = (name.as_str(), &is_repeated);
        let claim = || async move {
            let mut claims = if is_repeated.swap(true, Ordering::Relaxed) {
                rows::resume_claims(domain, ids, name, lease).await?
            } else {
                Vec::new()
            };
            let mut unclaimed = ids.to_vec();
            unclaimed.retain(|id| !is_among(&claims, *id));
            if !unclaimed.is_empty() && is_limited {
                let candidates = Candidates::Ids(&unclaimed);
                claims.extend(rows::claim_within_limits(domain, self.kind, candidates, (name, lease)).await?);
            } else if !unclaimed.is_empty() {
                claims.extend(rows::claim_all(domain, &unclaimed, name, lease).await?);
            }
            Ok(claims)
        };
        retry_while_unavailable(&self.release_now, "claim", claim).await
    }

    /// Pushes jobs again whose rows were locked at the time of the claim. They are ready and marked as
    /// pushed, but not claimed.
    async fn push_locked_again(&self, mut items: Vec<QueueItem>, claims: &[Claimed]) {
        items.retain(|item| !is_among(claims, item.id()));
        let ids: Vec<JobId> = items.iter().map(|item| item.id()).collect();
        let Ok(waiting) = rows::still_in_transport(self.engine.domain(), &ids).await else { return };
        items.retain(|item| waiting.contains(&item.id()));
        if items.is_empty() {
            return;
        }
        let (engine, kind) = (self.engine.clone(), self.kind);
        tokio::spawn(async move {
            let _ = timeout(LOCKED_ROW_DELAY, std::future::pending::<()>()).await;
            if let Err(error) = engine.push_items(kind, &items).await {
                tracing::debug!(%error, %kind, "failed to push jobs with locked rows, waiting for the sweep");
            }
        });
    }
}

fn is_among(claims: &[Claimed], id: JobId) -> bool {
    claims.iter().any(|claimed| claimed.id == id)
}
