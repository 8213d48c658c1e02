//! Batched submits, claims and completions, for the engine. An item that fails in a batch is retried in a
//! separate statement, so that it does not affect the other items.

use std::collections::HashSet;
use std::sync::Arc;

use entities::ids::JobId;

use super::batches::{
    CompletedClaim, CompletionResult, InsertResult, JobBatchItem, JobBatchItemResult, NewRow,
};
use super::claim_id::ClaimId;
use super::claimed::Claimed;
use super::database_clock::simulated;
use super::job_batch::enqueue;
use super::kind::JobKind;
use super::run::{complete_in, lease_lost};
use super::submit::{NewJob, Submitted, submit};
use super::worker_slots::{SlotOffer, WorkerSlots};
use super::{embedded, sql};
use kernel::db::Durable;
use kernel::{Domain, Millis, Result};

/// Submits a job outside any transaction of the caller, batched with other submits. Returns when the row is
/// durable.
///
/// # Errors
/// Same as for [`submit`].
pub async fn submit_batched(domain: &Domain, job: NewJob) -> Result<Submitted> {
    // Fair share needs the number of waiting jobs of the owner, which a single submit counts in its
    // transaction.
    if job.share_key().is_some() {
        return submit_single(domain, job).await;
    }
    let now = domain.now();
    let is_pushed = job.run_at.is_none_or(|at| at <= now);
    let (id, delayed_until) = (domain.new_id(), job.caller_delay(domain));
    let run_at = job.run_at.or(delayed_until);
    let row = NewRow {
        id,
        kind: job.kind,
        key: job.key.clone(),
        payload: job.payload.clone(),
        priority: job.priority,
        run_at,
        in_turn: delayed_until.is_some(),
        is_pushed,
        created_at: now,
        request_id: job.request_id.clone(),
        may_start: job.may_begin && job.run_at.is_none(),
        slot: None,
    };
    match enqueue(domain, JobBatchItem::Submit(row)).await {
        Ok(JobBatchItemResult::Submitted(written @ (InsertResult::New | InsertResult::Started))) => {
            Ok(Submitted {
                id,
                joined: false,
                kind: job.kind,
                priority: job.priority,
                run_at: run_at.unwrap_or(now),
                to_push: is_pushed && matches!(written, InsertResult::New),
            })
        }
        Ok(JobBatchItemResult::Submitted(InsertResult::Failed(error))) => Err(error),
        Ok(_) | Err(_) => submit_single(domain, job).await,
    }
}

/// Offers slots of a worker to jobs of `kind` that are submitted through this handle, until the returned
/// offer is dropped.
pub fn offer_slots(domain: &Domain, kind: JobKind, worker: Arc<dyn WorkerSlots>) -> SlotOffer {
    super::batches::of(domain).workers.offer_slots(kind, worker)
}

async fn submit_single(domain: &Domain, job: NewJob) -> Result<Submitted> {
    let transaction = domain.db().begin().await?;
    let submitted = submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok(submitted)
}

/// Completes a job that has no effect of its own, batched with other completions. The worker's slot is
/// released when the completion is queued.
///
/// # Errors
/// [`LEASE_LOST`](super::LEASE_LOST) if the claim is no longer the newest.
pub async fn complete(domain: &Domain, claimed: &Claimed) -> Result<()> {
    let batches = super::batches::of(domain);
    let Ok(_unended) = batches.pending_completions.acquire().await else {
        return complete_in(domain.db().write(), domain, claimed).await;
    };
    let end = CompletedClaim {
        id: claimed.id,
        fence: claimed.fence,
        worker: claimed.worker.clone(),
        finished_at: domain.now(),
    };
    let is_deleted = claimed.kind.rules().delete_when_complete;
    let end = if is_deleted { JobBatchItem::Delete(end) } else { JobBatchItem::Complete(end) };
    let result = enqueue(domain, end);
    claimed.slot.release();
    match result.await {
        Ok(JobBatchItemResult::Completed(CompletionResult::Committed)) => Ok(()),
        Ok(JobBatchItemResult::Completed(CompletionResult::LeaseLost)) => Err(lease_lost()),
        Ok(_) | Err(_) => complete_in(domain.db().write(), domain, claimed).await,
    }
}

/// Claims the jobs that are ready and due, as [`claim`](super::claim) does, with one statement. `worker` must
/// be a unique name for this set of claims.
///
/// The claim is not immediately durable, so a crash of the database may lose it. This is safe, because claim
/// names are unique, and the claim becomes durable with the first write of its effect.
pub async fn claim_all(
    domain: &Domain,
    jobs: &[JobId],
    worker: &str,
    lease_ms: Millis,
) -> Result<Vec<Claimed>> {
    if let Durable::Embedded(writer) = domain.db().durable()
        && let Some(claims) = embedded::claim(domain, writer, jobs, (worker, lease_ms)).await
    {
        return Ok(claims);
    }
    sql::claim(domain.db().quick(), jobs, (worker, lease_ms), (domain.now(), simulated(domain))).await
}

/// Resumes claims of `worker` whose response was lost. Renews their leases without counting another attempt.
pub async fn resume_claims(
    domain: &Domain,
    jobs: &[JobId],
    worker: &str,
    lease_ms: Millis,
) -> Result<Vec<Claimed>> {
    sql::resume(domain.db().quick(), jobs, (worker, lease_ms)).await
}

/// Returns the jobs that are still in the transport. They could not be claimed because their rows were locked.
pub async fn still_in_transport(domain: &Domain, jobs: &[JobId]) -> Result<HashSet<JobId>> {
    Ok(sql::in_transport(domain.db().quick(), jobs).await?)
}

/// Renews the leases of the claims by `lease_ms` from the database's current time. Returns the claims that
/// are no longer the newest of their jobs. A claim whose effect is currently being written keeps its lease.
pub async fn renew_all(domain: &Domain, claims: &[ClaimId], lease_ms: Millis) -> Result<Vec<ClaimId>> {
    let renewed = sql::renew(domain.db().quick(), claims, lease_ms).await?;
    let unrenewed: Vec<ClaimId> =
        claims.iter().filter(|mark| !renewed.contains(&(mark.id, mark.fence))).cloned().collect();
    if unrenewed.is_empty() {
        return Ok(unrenewed);
    }
    let still_claimed = sql::newest(domain.db().quick(), &unrenewed).await?;
    Ok(unrenewed.into_iter().filter(|mark| !still_claimed.contains(&(mark.id, mark.fence))).collect())
}

impl From<&Claimed> for ClaimId {
    fn from(claimed: &Claimed) -> Self {
        Self { id: claimed.id, fence: claimed.fence, worker: claimed.worker.clone() }
    }
}
