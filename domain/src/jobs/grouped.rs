//! Submits, claims and ends of many at once. Members of a group do not fail together: a group that fails is halved and
//! tried again, and one that fails alone goes the way of a single statement, where its fault is its own.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use entities::ids::JobId;
use futures_util::future::BoxFuture;
use sea_orm::DbErr;

use super::batches::{End, Ended, NewRow, Written};
use super::capacity::capacity_of;
use super::insert::{FIRST_CLAIM, Inserted, insert};
use super::openings::{Known, Openings};
use super::run::{complete_in, lease_lost};
use super::submit::{NewJob, Submitted, submit};
use super::{Claimed, JobKind, Mark, simulated, sql, waiting};
use crate::clock::Millis;
use crate::db;
use crate::error::Result;
use crate::groups::Carry;
use crate::handle::Domain;

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
    let begins = job.may_begin && run_at.is_none();
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
        opening: if begins { domain.job_batches().workers.opening(job.kind) } else { None },
    };
    match domain.job_batches().submits.join(domain, row, carry_submits).await {
        Ok(written @ (Written::New | Written::Begun)) => Ok(Submitted {
            id,
            joined: false,
            kind: job.kind,
            priority: job.priority,
            run_at: run_at.unwrap_or(now),
            to_push: is_pushed && matches!(written, Written::New),
        }),
        Ok(Written::Failed(error)) => Err(error),
        Ok(Written::Not) | Err(_) => submit_alone(domain, job).await,
    }
}

/// Has jobs of `kind` that are submitted through this handle, and may, begin in the places of a worker; until what this
/// returns is dropped.
pub fn make_known(domain: &Domain, kind: JobKind, worker: Arc<dyn Openings>) -> Known {
    domain.job_batches().workers.make_known(kind, worker)
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
    let batches = domain.job_batches();
    let Ok(_unended) = batches.unended.acquire().await else {
        return complete_in(domain.db().write(), domain, claimed).await;
    };
    let end = End {
        id: claimed.id,
        fence: claimed.fence,
        worker: claimed.worker.clone(),
        finished_at: domain.now(),
    };
    let (groups, carry): (_, Carry<Domain, End, Ended>) = if claimed.kind.rules().delete_when_complete {
        (&batches.deletions, carry_deletions)
    } else {
        (&batches.completions, carry_completions)
    };
    let ended = groups.join(domain, end, carry);
    claimed.place.give_back();
    match ended.await {
        Ok(Ended::Written) => Ok(()),
        Ok(Ended::LeaseLost) => Err(lease_lost()),
        Ok(Ended::Not) | Err(_) => complete_in(domain.db().write(), domain, claimed).await,
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

fn carry_submits(domain: Domain, mut rows: Vec<NewRow>) -> BoxFuture<'static, Vec<Written>> {
    Box::pin(async move {
        let order: Vec<JobId> = rows.iter().map(|row| row.id).collect();
        retain_with_room(&domain, &mut rows).await;
        // All groups of all processes take the keys in one order, so that none waits for another in a circle.
        rows.sort_by(|a, b| (a.kind, &a.key).cmp(&(b.kind, &b.key)));
        let mut written = HashMap::new();
        let mut left: Vec<Range<usize>> = std::iter::once(0..rows.len()).collect();
        while let Some(range) = left.pop() {
            let group = &mut rows[range.clone()];
            match write(&domain, group).await {
                Ok(inserted) => written.extend(group.iter_mut().filter_map(|row| {
                    let inserted = inserted.get(&row.id)?;
                    Some((row.id, begin(row, inserted)))
                })),
                Err(error) if db::is_away(&error) => {
                    written.extend(group.iter().map(|row| (row.id, Written::Failed(error.clone().into()))));
                }
                Err(error) => halve(range, &mut left, &error),
            }
        }
        order.iter().map(|id| written.remove(id).unwrap_or(Written::Not)).collect()
    })
}

/// Hands a job that was written as running to the worker in whose place it is; no caller has to be there still.
fn begin(row: &mut NewRow, inserted: &Inserted) -> Written {
    let Some(opening) = row.opening.take().filter(|_| inserted.is_running) else { return Written::New };
    let claimed = Claimed {
        id: row.id,
        kind: row.kind,
        key: std::mem::take(&mut row.key),
        payload: std::mem::take(&mut row.payload),
        priority: row.priority,
        attempt: 1,
        fence: FIRST_CLAIM,
        worker: opening.worker,
        run_at: inserted.run_at.unwrap_or(row.created_at),
        created_at: row.created_at,
        request_id: row.request_id.take(),
        place: opening.place,
    };
    (opening.begin)(claimed);
    Written::Begun
}

/// Writes the rows. When the connection breaks in the middle it is done once more: the ids say what was written, and the
/// names of their claims which of them run.
async fn write(domain: &Domain, rows: &[NewRow]) -> Result<HashMap<JobId, Inserted>, DbErr> {
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let due = simulated(domain);
    match insert(domain.db().durable(), rows, due).await {
        Err(error) if db::is_away(&error) => {
            let mut written = insert(domain.db().durable(), rows, due).await?;
            written.extend(already_there(domain, rows).await?);
            Ok(written)
        }
        written => written,
    }
}

/// Which of the rows are there, and which of these run in the places that were taken for them.
pub(super) async fn already_there(
    domain: &Domain,
    rows: &[NewRow],
) -> Result<HashMap<JobId, Inserted>, DbErr> {
    let is_running = |is_running| Inserted { is_running, run_at: None };
    let ids: Vec<JobId> = rows.iter().map(|row| row.id).collect();
    let waiting = sql::on_their_way(domain.db().durable(), &ids).await?;
    let marks: Vec<Mark> = rows.iter().filter_map(first_claim).collect();
    let begun =
        if marks.is_empty() { HashSet::new() } else { sql::held(domain.db().durable(), &marks).await? };
    let waiting = waiting.into_iter().map(|id| (id, is_running(false)));
    Ok(waiting.chain(begun.into_iter().map(|(id, _)| (id, is_running(true)))).collect())
}

/// The claim of a row that is written as running.
fn first_claim(row: &NewRow) -> Option<Mark> {
    let worker = row.opening.as_ref()?.worker.clone();
    Some(Mark { id: row.id, fence: FIRST_CLAIM, worker })
}

/// Leaves those rows that there is room for. The others' callers ask alone, and are told.
async fn retain_with_room(domain: &Domain, rows: &mut Vec<NewRow>) {
    let mut counted: HashMap<JobKind, Option<u64>> = HashMap::new();
    for row in rows.iter() {
        let Some(capacity) = capacity_of(domain, row.kind, row.priority) else { continue };
        let counts = &domain.job_batches().waiting;
        if counted.contains_key(&row.kind) || counts.has_ample_room(row.kind, capacity) {
            continue;
        }
        let most = row.kind.rules().capacity.unwrap_or(capacity).max(capacity);
        counted.insert(row.kind, waiting(domain.db().read(), domain, row.kind, most).await.ok());
    }
    rows.retain(|row| {
        let Some(capacity) = capacity_of(domain, row.kind, row.priority) else { return true };
        let Some(waiting) = counted.get_mut(&row.kind) else { return true };
        let Some(waiting) = waiting.as_mut().filter(|waiting| **waiting < u64::from(capacity)) else {
            return false;
        };
        *waiting += 1;
        true
    });
    for (kind, waiting) in counted {
        if let Some(waiting) = waiting {
            domain.job_batches().waiting.counted(kind, waiting);
        }
    }
}

fn carry_deletions(domain: Domain, ends: Vec<End>) -> BoxFuture<'static, Vec<Ended>> {
    Box::pin(async move { carry_ends(&domain, &ends, Row::Goes).await })
}

fn carry_completions(domain: Domain, ends: Vec<End>) -> BoxFuture<'static, Vec<Ended>> {
    Box::pin(async move { carry_ends(&domain, &ends, Row::Stays).await })
}

/// What becomes of the row of a job that ended well.
#[derive(Clone, Copy)]
enum Row {
    Goes,
    Stays,
}

async fn carry_ends(domain: &Domain, ends: &[End], row: Row) -> Vec<Ended> {
    let mut answers = vec![Ended::Not; ends.len()];
    let mut left: Vec<Range<usize>> = std::iter::once(0..ends.len()).collect();
    while let Some(range) = left.pop() {
        let (pool, group) = (domain.db().durable(), &ends[range.clone()]);
        let written = match row {
            Row::Goes => sql::delete(pool, group).await,
            Row::Stays => sql::complete(pool, group).await,
        };
        match written {
            Ok(ids) => {
                for (answer, end) in answers[range].iter_mut().zip(group) {
                    *answer =
                        if ids.contains(&(end.id, end.fence)) { Ended::Written } else { Ended::LeaseLost };
                }
            }
            // Each asks by itself, and is told whether the database is back.
            Err(error) if db::is_away(&error) => {}
            Err(error) => halve(range, &mut left, &error),
        }
    }
    answers
}

/// The two halves of a group that failed are tried again; who fails alone is left out.
fn halve(range: Range<usize>, left: &mut Vec<Range<usize>>, error: &DbErr) {
    tracing::debug!(%error, members = range.len(), "a group of jobs is tried again in halves");
    if range.len() > 1 {
        let middle = range.start + range.len() / 2;
        left.extend([range.start..middle, middle..range.end]);
    }
}

impl From<&Claimed> for Mark {
    fn from(claimed: &Claimed) -> Self {
        Self { id: claimed.id, fence: claimed.fence, worker: claimed.worker.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_failed_is_tried_again_in_halves_down_to_one() {
        let halves = |range: Range<usize>| {
            let mut left = Vec::new();
            halve(range, &mut left, &DbErr::Custom("poison".into()));
            left
        };
        assert_eq!(halves(4..11), [4..7, 7..11]);
        assert_eq!(halves(4..6), [4..5, 5..6]);
        assert!(halves(4..5).is_empty(), "who fails alone is left out");
    }
}
