//! Executes the parts of a batch on PostgreSQL, with one statement for all submits and one for all completions. A part
//! that fails is bisected and retried; an item that fails alone is omitted.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use entities::ids::JobId;
use sea_orm::DbErr;

use super::batches::{CompletedClaim, CompletionResult, InsertResult, NewRow};
use super::capacity::capacity_of;
use super::claim_id::ClaimId;
use super::claimed::Claimed;
use super::database_clock::simulated;
use super::insert::{FIRST_CLAIM, Inserted, insert};
use super::kind::JobKind;
use super::sql::{self, Claim};
use super::sweep::waiting;
use kernel::db::{self, Connections};
use kernel::{Domain, Result};

/// Inserts rows. Returns results by id; a row without a result is not inserted.
pub(super) async fn insert_all(
    (domain, connections): (&Domain, &Connections),
    mut rows: Vec<NewRow>,
    is_repeated: bool,
) -> HashMap<JobId, InsertResult> {
    let mut results = HashMap::new();
    let mut pending: Vec<Range<usize>> = std::iter::once(0..rows.len()).collect();
    while let Some(range) = pending.pop() {
        let group = &mut rows[range.clone()];
        match write((domain, connections), group, is_repeated).await {
            Ok(inserted) => results.extend(start_all(group, &inserted)),
            Err(error) if db::is_unavailable(&error) => {
                results.extend(group.iter().map(|row| (row.id, InsertResult::Failed(error.clone().into()))));
            }
            Err(error) => bisect(range, &mut pending, &error),
        }
    }
    results
}

/// Removes the rows for which there is no capacity, and reserves a slot for each row that may start. Rows are
/// sorted by key, because all batches in all processes must lock keys in the same order to avoid deadlocks.
pub(super) async fn prepare(domain: &Domain, rows: &mut Vec<NewRow>) {
    retain_within_capacity(domain, rows).await;
    for row in rows.iter_mut().filter(|row| row.may_start) {
        row.slot = super::batches::of(domain).workers.reserve(row.kind);
    }
    rows.sort_by(|a, b| (a.kind, &a.key).cmp(&(b.kind, &b.key)));
}

/// Dispatches the running jobs to their workers. Returns the results of the inserted rows by id.
pub(super) fn start_all(
    rows: &mut [NewRow],
    inserted: &HashMap<JobId, Inserted>,
) -> HashMap<JobId, InsertResult> {
    rows.iter_mut().filter_map(|row| Some((row.id, start(row, *inserted.get(&row.id)?)))).collect()
}

/// Dispatches a job that was inserted as `running` to the worker that reserved the slot, even if the caller
/// was cancelled.
pub(super) fn start(row: &mut NewRow, inserted: Inserted) -> InsertResult {
    let Some(opening) = row.slot.take().filter(|_| inserted.is_running) else { return InsertResult::New };
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
        lost_starts: 0,
        slot: opening.permit,
    };
    (opening.begin)(claimed);
    InsertResult::Started
}

/// Inserts the rows, and retries if the connection breaks. After a retry, rows that were already inserted are
/// recognised by their ids, and running rows by their claim ids.
async fn write(
    (domain, connections): (&Domain, &Connections),
    rows: &[NewRow],
    is_repeated: bool,
) -> Result<HashMap<JobId, Inserted>, DbErr> {
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let due = simulated(domain);
    let mut result = insert(connections, rows, due).await;
    let mut is_interrupted = false;
    // Every connection of the pool may be broken.
    for _ in 0..db::ENGINE_CONNECTIONS {
        if !matches!(&result, Err(error) if db::is_unavailable(error)) {
            break;
        }
        is_interrupted = true;
        result = insert(connections, rows, due).await;
    }
    let mut insertions = result?;
    if is_interrupted || is_repeated {
        insertions.extend(find_inserted(connections, rows).await?);
    }
    Ok(insertions)
}

/// Finds the rows that exist, and which of them run in their reserved slots.
pub(super) async fn find_inserted(
    connections: &Connections,
    rows: &[NewRow],
) -> Result<HashMap<JobId, Inserted>, DbErr> {
    let is_running = |is_running| Inserted { is_running, run_at: None };
    let ids: Vec<JobId> = rows.iter().map(|row| row.id).collect();
    let waiting = sql::in_transport_on(connections, &ids).await?;
    let claim_ids: Vec<ClaimId> = rows.iter().filter_map(first_claim).collect();
    let begun =
        if claim_ids.is_empty() { HashSet::new() } else { sql::newest_on(connections, &claim_ids).await? };
    let waiting = waiting.into_iter().map(|id| (id, is_running(false)));
    Ok(waiting.chain(begun.into_iter().map(|(id, _)| (id, is_running(true)))).collect())
}

/// Returns the claim of a row that is inserted as `running`. `None` if no slot is reserved for the row.
fn first_claim(row: &NewRow) -> Option<ClaimId> {
    let worker = row.slot.as_ref()?.worker.clone();
    Some(ClaimId { id: row.id, fence: FIRST_CLAIM, worker })
}

/// Removes the rows for which there is no capacity. Their callers submit them individually and get the error.
async fn retain_within_capacity(domain: &Domain, rows: &mut Vec<NewRow>) {
    let mut counted: HashMap<JobKind, Option<u64>> = HashMap::new();
    for row in rows.iter() {
        let Some(capacity) = capacity_of(domain, row.kind, row.priority) else { continue };
        let batches = super::batches::of(domain);
        let counts = &batches.waiting;
        if counted.contains_key(&row.kind) || counts.has_ample_capacity(row.kind, capacity) {
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
            super::batches::of(domain).waiting.counted(kind, waiting);
        }
    }
}

/// Treatment of a completed job's row.
#[derive(Clone, Copy)]
pub(super) enum CompletedRow {
    Delete,
    Retain,
}

/// Completes jobs. Returns one result per job, in the same order.
pub(super) async fn complete_all(
    connections: &Connections,
    completions: &[CompletedClaim],
    row: CompletedRow,
) -> Vec<CompletionResult> {
    let mut answers = vec![CompletionResult::NotCommitted; completions.len()];
    let mut pending: Vec<Range<usize>> =
        std::iter::once(0..completions.len()).filter(|all| !all.is_empty()).collect();
    while let Some(range) = pending.pop() {
        let group = &completions[range.clone()];
        let result = match row {
            CompletedRow::Delete => sql::delete(connections, group).await,
            CompletedRow::Retain => sql::complete(connections, group).await,
        };
        match result {
            Ok(ended) => answers[range].copy_from_slice(&completion_results(group, &ended)),
            // Each caller then completes its job individually and gets the error if the database is still
            // unavailable.
            Err(error) if db::is_unavailable(&error) => {}
            Err(error) => bisect(range, &mut pending, &error),
        }
    }
    answers
}

/// Returns the results of an executed batch of completions. `ended` contains the claims whose completion was
/// committed.
pub(super) fn completion_results(
    completions: &[CompletedClaim],
    ended: &HashSet<Claim>,
) -> Vec<CompletionResult> {
    let result = |end: &CompletedClaim| {
        let is_ended = ended.contains(&(end.id, end.fence));
        if is_ended { CompletionResult::Committed } else { CompletionResult::LeaseLost }
    };
    completions.iter().map(result).collect()
}

/// Schedules the two halves of a failed batch. A single item is omitted.
fn bisect(range: Range<usize>, pending: &mut Vec<Range<usize>>, error: &DbErr) {
    tracing::debug!(%error, members = range.len(), "job batch failed");
    if range.len() > 1 {
        let middle = range.start + range.len() / 2;
        pending.extend([range.start..middle, middle..range.end]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_batch_is_bisected_down_to_single_items() {
        let halves = |range: Range<usize>| {
            let mut pending = Vec::new();
            bisect(range, &mut pending, &DbErr::Custom("poison".into()));
            pending
        };
        assert_eq!(halves(4..11), [4..7, 7..11]);
        assert_eq!(halves(4..6), [4..5, 5..6]);
        assert!(halves(4..5).is_empty(), "a single failed item is left out");
    }
}
