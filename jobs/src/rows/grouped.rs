//! Submits, claims and ends of many at once. Members of a group do not fail together: who fails alone goes the way of a
//! single statement, where its fault is its own.

use std::collections::HashSet;
use std::sync::Arc;

use entities::ids::JobId;

use super::batches::{Done, End, Ended, Member, NewRow, Written};
use super::openings::{Openings, PlacesOffer};
use super::round::join;
use super::run::{complete_in, lease_lost};
use super::submit::{NewJob, Submitted, submit};
use super::{Claimed, JobKind, Mark, embedded, simulated, sql};
use kernel::clock::Millis;
use kernel::db::Durable;
use kernel::error::Result;
use kernel::handle::Domain;

/// Writes the job down by itself, in no transaction of the caller's, together with what others submit meanwhile. It is
/// answered when the row is durable.
///
/// # Errors
/// As [`submit`].
pub async fn submit_by_itself(domain: &Domain, job: NewJob) -> Result<Submitted> {
    // Who owns it has its turn by what waits already, which the transaction of a single submit asks.
    if job.line().is_some() {
        return submit_alone(domain, job).await;
    }
    let now = domain.now();
    let is_pushed = job.run_at.is_none_or(|at| at <= now);
    let (id, run_at) = (domain.new_id(), job.run_at);
    let row = NewRow {
        id,
        kind: job.kind,
        key: job.key.clone(),
        payload: job.payload.clone(),
        priority: job.priority,
        run_at,
        is_pushed,
        created_at: now,
        request_id: job.request_id.clone(),
        may_begin: job.may_begin && run_at.is_none(),
        opening: None,
    };
    match join(domain, Member::Submit(row)).await {
        Ok(Done::Submitted(written @ (Written::New | Written::Begun))) => Ok(Submitted {
            id,
            joined: false,
            kind: job.kind,
            priority: job.priority,
            run_at: run_at.unwrap_or(now),
            to_push: is_pushed && matches!(written, Written::New),
        }),
        Ok(Done::Submitted(Written::Failed(error))) => Err(error),
        Ok(_) | Err(_) => submit_alone(domain, job).await,
    }
}

/// Has jobs of `kind` that are submitted through this handle, and may, begin in the places of a worker; until what this
/// returns is dropped.
pub fn offer_places(domain: &Domain, kind: JobKind, worker: Arc<dyn Openings>) -> PlacesOffer {
    super::batches::of(domain).workers.offer_places(kind, worker)
}

async fn submit_alone(domain: &Domain, job: NewJob) -> Result<Submitted> {
    let transaction = domain.db().begin().await?;
    let submitted = submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok(submitted)
}

/// Ends a job well that has no effect of its own, together with what else ends meanwhile. The worker's place is free
/// as soon as the end is queued.
///
/// # Errors
/// [`LEASE_LOST`](super::LEASE_LOST) when the claim is not the newest any more.
pub async fn complete(domain: &Domain, claimed: &Claimed) -> Result<()> {
    let batches = super::batches::of(domain);
    let Ok(_unended) = batches.unended.acquire().await else {
        return complete_in(domain.db().write(), domain, claimed).await;
    };
    let end = End {
        id: claimed.id,
        fence: claimed.fence,
        worker: claimed.worker.clone(),
        finished_at: domain.now(),
    };
    let goes = claimed.kind.rules().delete_when_complete;
    let end = if goes { Member::Goes(end) } else { Member::Stays(end) };
    let ended = join(domain, end);
    claimed.place.give_back();
    match ended.await {
        Ok(Done::Ended(Ended::Written)) => Ok(()),
        Ok(Done::Ended(Ended::LeaseLost)) => Err(lease_lost()),
        Ok(_) | Err(_) => complete_in(domain.db().write(), domain, claimed).await,
    }
}

/// Takes those of the jobs that are ready and due, as [`claim`](super::claim) does, by one statement. `worker` names
/// this group of claims and no other.
///
/// Nobody waits for its durability: a crash of the database may forget the claim, but no two claims have one name, and
/// whatever a claim writes is durable with all that was before it.
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

/// The claims that `worker` made and whose answer it never got. Their leases begin anew; no start is counted twice.
pub async fn resume_claims(
    domain: &Domain,
    jobs: &[JobId],
    worker: &str,
    lease_ms: Millis,
) -> Result<Vec<Claimed>> {
    sql::resume(domain.db().quick(), jobs, (worker, lease_ms)).await
}

/// Which of these wait on their way to a worker though they could not be claimed: somebody held their rows.
pub async fn on_their_way(domain: &Domain, jobs: &[JobId]) -> Result<HashSet<JobId>> {
    Ok(sql::on_their_way(domain.db().quick(), jobs).await?)
}

/// Moves the leases of these claims on by `lease_ms` from the database's present; returns the claims that are not the
/// newest of their jobs any more. One whose effect is being written just now keeps the lease that it has.
pub async fn renew_all(domain: &Domain, marks: &[Mark], lease_ms: Millis) -> Result<Vec<Mark>> {
    let renewed = sql::renew(domain.db().quick(), marks, lease_ms).await?;
    let missing: Vec<Mark> =
        marks.iter().filter(|mark| !renewed.contains(&(mark.id, mark.fence))).cloned().collect();
    if missing.is_empty() {
        return Ok(missing);
    }
    let held = sql::held(domain.db().quick(), &missing).await?;
    Ok(missing.into_iter().filter(|mark| !held.contains(&(mark.id, mark.fence))).collect())
}

impl From<&Claimed> for Mark {
    fn from(claimed: &Claimed) -> Self {
        Self { id: claimed.id, fence: claimed.fence, worker: claimed.worker.clone() }
    }
}
