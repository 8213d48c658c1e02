//! Replays the runs of a monitor with another definition to determine the changes that it would have
//! reported. Nothing is fetched: the stored snapshots of past runs are evaluated again, in order.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;

use entities::ids::{AccountId, MonitorId, MonitorRunId};
use entities::{monitor, monitor_run};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

use super::change::Change;
use super::changes::list_changes;
use super::definition;
use super::edit::{Edit, apply_edit};
use super::evaluate::{self, Baseline, PreviousState, TimedSnapshot};
use super::memory::{Memory, RecentContents};
use super::monitor::{Definition, ListRange, TargetType};
use super::rows::{find_snapshot, load};
use kernel::{Domain, Error, Millis, Result};

/// Maximum number of changes in a replay.
const MAX_CHANGES: u32 = 50;
/// Maximum number of replayed runs.
const MAX_RUNS: u64 = 300;

/// Result of a replay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    /// Recorded changes, the newest first.
    pub changes: Vec<ReplayedChange>,
    /// Changes that were not reported, but would have been reported with the new definition. The newest
    /// change is first.
    pub new: Vec<NewlyReported>,
}

/// Recorded change with the result of its replay.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayedChange {
    pub change: Change,
    /// True if the change would be reported. `None` if this is unknown without fetching the source again.
    pub would_report: Option<bool>,
    /// Number of operations that would be reported.
    pub operations: usize,
}

/// Change that was not reported, but would have been reported with the new definition.
#[derive(Clone, Debug, PartialEq)]
pub struct NewlyReported {
    /// Run that observed the change.
    pub run_id: MonitorRunId,
    /// End of the run.
    pub finished_at: Millis,
    /// Plain text on one line.
    pub title: String,
    /// Plain text on a few lines.
    pub summary: String,
}

/// Result of a replayed run.
enum ReplayedRun {
    Nothing,
    Change { title: String, summary: String, operations: usize },
}

/// Replays the runs of the account's monitor with the definition that results from `edit`.
///
/// # Errors
/// `not_found` if the monitor does not exist; `invalid_request` if the edit is invalid.
#[boxed]
pub async fn replay_changes(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    edit: &Edit,
) -> Result<Replay> {
    let row = load(domain.db().read(), account_id, id).await?;
    let before = definition::read(&row.definition)?;
    let after = apply_edit(&before, edit)?;
    let has_new_address = edit.target.as_ref().is_some_and(|target| target.url.as_str() != row.target_url);
    let is_comparable = !has_new_address && definition::are_comparable(&before, &after);
    let runs = if is_comparable { runs_with_contents(domain, &row).await? } else { Vec::new() };
    let mut results = replay_runs(domain, &row, &after, &runs).await?;
    let mut replay = Replay::default();
    for change in list_changes(domain, account_id, id, ListRange::first(MAX_CHANGES)).await?.changes {
        let (would_report, operations) = match results.remove(&change.run_id) {
            None => (None, 0),
            Some(ReplayedRun::Nothing) => (Some(false), 0),
            Some(ReplayedRun::Change { operations, .. }) => (Some(true), operations),
        };
        replay.changes.push(ReplayedChange { change, would_report, operations });
    }
    for run in runs.iter().rev() {
        if let Some(ReplayedRun::Change { title, summary, .. }) = results.remove(&run.id) {
            replay.new.push(NewlyReported { run_id: run.id, finished_at: run.finished_at, title, summary });
        }
    }
    replay.new.truncate(MAX_CHANGES as usize);
    Ok(replay)
}

/// Newest runs with a snapshot, in ascending order of time.
async fn runs_with_contents(domain: &Domain, row: &monitor::Model) -> Result<Vec<monitor_run::Model>> {
    let newest = monitor_run::Entity::owned_by(row.account_id)
        .filter(monitor_run::Column::MonitorId.eq(row.id))
        .filter(monitor_run::Column::ContentHash.is_not_null())
        .order_by_desc(monitor_run::Column::DueAt)
        .limit(MAX_RUNS);
    let mut runs = newest.all(domain.db().read()).await?;
    runs.reverse();
    // A run with the outcome `baseline` is the first one with its definition. Its snapshot was not compared with
    // earlier snapshots.
    let first = runs.iter().rposition(|run| run.outcome == BASELINE).unwrap_or(0);
    Ok(runs.split_off(first))
}

const BASELINE: &str = super::outcome::Outcome::Baseline.as_str();

/// Replays each run. Runs whose snapshot is no longer stored are skipped.
async fn replay_runs(
    domain: &Domain,
    row: &monitor::Model,
    definition: &Definition,
    runs: &[monitor_run::Model],
) -> Result<HashMap<MonitorRunId, ReplayedRun>> {
    let mut results = HashMap::new();
    let mut memory = Memory::with_masks_of(&Memory::read(&row.masks));
    let mut recent_contents = RecentContents::default();
    let mut baseline: Option<Baseline> = None;
    let mut contents: HashMap<String, Baseline> = HashMap::new();
    for run in runs {
        let Some(hash) = &run.content_hash else { continue };
        let Some(snapshot) = find_snapshot(domain.db().read(), row.id, hash).await? else { continue };
        let observed = Baseline { hash: hash.clone(), snapshot: snapshot.clone() };
        let has_previous = baseline.is_some();
        let before = PreviousState { baseline: baseline.take(), recent_contents, memory };
        let (definition, at) = (definition.clone(), run.finished_at);
        let evaluation = tokio::task::spawn_blocking(move || {
            let kind = TargetType::of(&definition.target);
            evaluate::evaluate(&definition, kind, before, TimedSnapshot { snapshot: &snapshot, at })
        });
        let evaluation = evaluation.await.map_err(Error::internal)?.map_err(Error::internal)?;
        contents.insert(observed.hash.clone(), observed);
        for content in &evaluation.contents {
            let snapshot = extract::watch::Snapshot::decode(&content.encoded).map_err(Error::internal)?;
            contents.insert(content.hash.clone(), Baseline { hash: content.hash.clone(), snapshot });
        }
        baseline = contents.get(&evaluation.baseline_hash).cloned();
        contents.retain(|hash, _| *hash == evaluation.baseline_hash);
        (recent_contents, memory) = (evaluation.recent_contents, evaluation.memory);
        let result = evaluation.change.map_or(ReplayedRun::Nothing, |change| ReplayedRun::Change {
            title: change.title,
            summary: change.summary,
            operations: change.operations.len(),
        });
        // The first stored snapshot may have been compared with a snapshot that is no longer stored, unless its
        // run has the outcome `baseline`: such a run compares nothing.
        if has_previous || run.outcome == BASELINE {
            results.insert(run.id, result);
        }
    }
    Ok(results)
}
