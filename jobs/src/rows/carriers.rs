//! Executes batches on PostgreSQL. A batch that fails is bisected and retried; an item that fails alone is
//! left out.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use entities::ids::JobId;
use sea_orm::DbErr;

use super::batches::{End, Ended, NewRow, Written};
use super::capacity::capacity_of;
use super::insert::{FIRST_CLAIM, Inserted, insert};
use super::{Claimed, JobKind, Mark, simulated, sql, waiting};
use kernel::db::{self, Connections};
use kernel::error::Result;
use kernel::handle::Domain;

/// Inserts rows. Returns the result of each row, in order.
pub(super) async fn submit_all(
    (domain, connections): (&Domain, &Connections),
    mut rows: Vec<NewRow>,
    is_repeated: bool,
) -> Vec<Written> {
    let order: Vec<JobId> = rows.iter().map(|row| row.id).collect();
    let mut written = HashMap::new();
    let mut left: Vec<Range<usize>> = std::iter::once(0..rows.len()).collect();
    while let Some(range) = left.pop() {
        let group = &mut rows[range.clone()];
        match write((domain, connections), group, is_repeated).await {
            Ok(inserted) => written.extend(begin_all(group, &inserted)),
            Err(error) if db::is_away(&error) => {
                written.extend(group.iter().map(|row| (row.id, Written::Failed(error.clone().into()))));
            }
            Err(error) => halve(range, &mut left, &error),
        }
    }
    in_order(&order, written)
}

/// Rows without a result count as not inserted.
pub(super) fn in_order(order: &[JobId], mut written: HashMap<JobId, Written>) -> Vec<Written> {
    order.iter().map(|id| written.remove(id).unwrap_or(Written::Not)).collect()
}

/// Retains the rows for which there is capacity, and reserves a slot for each that may start. Rows are sorted
/// by key, because all batches of all processes must lock keys in one order to avoid deadlocks.
pub(super) async fn make_ready(domain: &Domain, rows: &mut Vec<NewRow>) {
    retain_with_room(domain, rows).await;
    for row in rows.iter_mut().filter(|row| row.may_begin) {
        row.opening = super::batches::of(domain).workers.opening(row.kind);
    }
    rows.sort_by(|a, b| (a.kind, &a.key).cmp(&(b.kind, &b.key)));
}

/// Results of inserted rows by id. Dispatches the running jobs to their workers.
pub(super) fn begin_all(rows: &mut [NewRow], inserted: &HashMap<JobId, Inserted>) -> HashMap<JobId, Written> {
    rows.iter_mut().filter_map(|row| Some((row.id, begin(row, *inserted.get(&row.id)?)))).collect()
}

/// Dispatches a job that was inserted as `running` to the worker that reserved the slot. Its caller may be
/// gone.
pub(super) fn begin(row: &mut NewRow, inserted: Inserted) -> Written {
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

/// Inserts the rows, and repeats the statement if the connection breaks. Ids then show which rows exist, and
/// claim names which of them run.
async fn write(
    (domain, connections): (&Domain, &Connections),
    rows: &[NewRow],
    is_repeated: bool,
) -> Result<HashMap<JobId, Inserted>, DbErr> {
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let due = simulated(domain);
    let mut written = insert(connections, rows, due).await;
    let mut is_cut_off = false;
    // Every connection of the pool may be broken.
    for _ in 0..db::ENGINE_CONNECTIONS {
        if !matches!(&written, Err(error) if db::is_away(error)) {
            break;
        }
        is_cut_off = true;
        written = insert(connections, rows, due).await;
    }
    let mut written = written?;
    if is_cut_off || is_repeated {
        written.extend(already_there(connections, rows).await?);
    }
    Ok(written)
}

/// Finds the rows that exist, and which of them run in their reserved slots.
pub(super) async fn already_there(
    connections: &Connections,
    rows: &[NewRow],
) -> Result<HashMap<JobId, Inserted>, DbErr> {
    let is_running = |is_running| Inserted { is_running, run_at: None };
    let ids: Vec<JobId> = rows.iter().map(|row| row.id).collect();
    let waiting = sql::still_on_their_way(connections, &ids).await?;
    let marks: Vec<Mark> = rows.iter().filter_map(first_claim).collect();
    let begun = if marks.is_empty() { HashSet::new() } else { sql::still_held(connections, &marks).await? };
    let waiting = waiting.into_iter().map(|id| (id, is_running(false)));
    Ok(waiting.chain(begun.into_iter().map(|(id, _)| (id, is_running(true)))).collect())
}

/// Claim of a row inserted as `running`.
fn first_claim(row: &NewRow) -> Option<Mark> {
    let worker = row.opening.as_ref()?.worker.clone();
    Some(Mark { id: row.id, fence: FIRST_CLAIM, worker })
}

/// Retains the rows for which there is capacity. The callers of the others submit on their own and get the
/// error.
async fn retain_with_room(domain: &Domain, rows: &mut Vec<NewRow>) {
    let mut counted: HashMap<JobKind, Option<u64>> = HashMap::new();
    for row in rows.iter() {
        let Some(capacity) = capacity_of(domain, row.kind, row.priority) else { continue };
        let batches = super::batches::of(domain);
        let counts = &batches.waiting;
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
            super::batches::of(domain).waiting.counted(kind, waiting);
        }
    }
}

/// Handling of the row of a completed job.
#[derive(Clone, Copy)]
pub(super) enum Row {
    Goes,
    Stays,
}

/// Completes jobs. Returns the result of each, in order.
pub(super) async fn end_all(connections: &Connections, ends: &[End], row: Row) -> Vec<Ended> {
    let mut answers = vec![Ended::Not; ends.len()];
    let mut left: Vec<Range<usize>> = std::iter::once(0..ends.len()).filter(|all| !all.is_empty()).collect();
    while let Some(range) = left.pop() {
        let group = &ends[range.clone()];
        let written = match row {
            Row::Goes => sql::delete(connections, group).await,
            Row::Stays => sql::complete(connections, group).await,
        };
        match written {
            Ok(ids) => {
                for (answer, end) in answers[range].iter_mut().zip(group) {
                    *answer =
                        if ids.contains(&(end.id, end.fence)) { Ended::Written } else { Ended::LeaseLost };
                }
            }
            // Each caller then completes its job on its own and gets the error if the database is still
            // unavailable.
            Err(error) if db::is_away(&error) => {}
            Err(error) => halve(range, &mut left, &error),
        }
    }
    answers
}

/// Schedules the two halves of a failed batch. A single item is left out.
fn halve(range: Range<usize>, left: &mut Vec<Range<usize>>, error: &DbErr) {
    tracing::debug!(%error, members = range.len(), "job batch failed");
    if range.len() > 1 {
        let middle = range.start + range.len() / 2;
        left.extend([range.start..middle, middle..range.end]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_batch_is_bisected_down_to_single_items() {
        let halves = |range: Range<usize>| {
            let mut left = Vec::new();
            halve(range, &mut left, &DbErr::Custom("poison".into()));
            left
        };
        assert_eq!(halves(4..11), [4..7, 7..11]);
        assert_eq!(halves(4..6), [4..5, 5..6]);
        assert!(halves(4..5).is_empty(), "a single failed item is left out");
    }
}
