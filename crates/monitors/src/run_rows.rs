//! Rows of runs, and the statements that write them for any number of runs. No statement reads rows that
//! another statement writes, and no row is written by two statements.

use std::collections::HashSet;

use entities::{monitor, monitor_change, monitor_run, monitor_snapshot, monitor_target};
use fetch::Fetched;
use sea_orm::{EntityTrait, IntoActiveModel};

use super::change::Change;
use super::decision::Decision;
use super::evaluate::{Evaluation, NewChange};
use super::fetch::RunContext;
use super::locks::CommitFacts;
use super::message_text::{self, ChangeFacts};
use super::monitor::Status;
use super::next_run;
use super::observation::SourceObservation;
use super::outcome::Outcome;
use super::result::RunResult;
use super::sql::{self, EvaluatedContents, EvaluatedMonitor};
use identity::credits::AcceptedCharges;
use kernel::writes::Writes;
use kernel::{Domain, Error, Language, Millis, Result};

/// Rows of the runs of one transaction.
#[derive(Default)]
pub(super) struct RunRows {
    pub(super) runs: Vec<monitor_run::Model>,
    pub(super) charges: AcceptedCharges,
    /// Targets whose source sent a body, without duplicates, sorted by key.
    pub(super) targets: Vec<monitor_target::Model>,
    /// Targets whose stored body is unchanged at the source, each with the hash of that body.
    pub(super) confirmed: Vec<(monitor_target::Model, i64)>,
    /// Snapshots without duplicates.
    pub(super) snapshots: Vec<monitor_snapshot::Model>,
    pub(super) changes: Vec<monitor_change::Model>,
    /// States of monitors after successful runs with an evaluation.
    pub(super) evaluated: Vec<EvaluatedMonitor>,
}

impl RunRows {
    /// Adds the rows to the writes of their transaction.
    pub(super) fn add_to(self, writes: &mut Writes<'_>, now: Millis) {
        let Self { runs, charges, targets, confirmed, snapshots, changes, evaluated } = self;
        charges.add_to(writes);
        if !runs.is_empty() {
            let runs = runs.into_iter().map(IntoActiveModel::into_active_model);
            writes.add(&monitor_run::Entity::insert_many(runs));
        }
        if !targets.is_empty() {
            let (sql, values) = sql::target_upsert(targets);
            writes.add_sql(&sql, values);
        }
        for (target, known) in confirmed {
            sql::confirm_target(writes, &target, known);
        }
        sql::upsert_snapshots(writes, snapshots);
        if !changes.is_empty() {
            let changes = changes.into_iter().map(IntoActiveModel::into_active_model);
            writes.add(&monitor_change::Entity::insert_many(changes));
        }
        sql::finish_evaluated(writes, now, evaluated);
    }
}

/// Creates the row of a run without changes and costs.
pub(super) fn run_row(context: &RunContext, outcome: Outcome, now: Millis) -> monitor_run::Model {
    let RunContext { row, args, started_at, .. } = context;
    monitor_run::Model {
        id: args.run_id,
        account_id: row.account_id,
        monitor_id: row.id,
        due_at: args.due_at,
        started_at: *started_at,
        finished_at: now,
        outcome: outcome.as_str().to_owned(),
        added: 0,
        removed: 0,
        modified: 0,
        credits: 0,
        error_code: None,
        warnings: None,
        content_hash: None,
        decision: Some(Decision::of_outcome(outcome).as_str().to_owned()),
    }
}

/// Creates the row of a target, without a body, for a response that a monitor received at `at`. The time of
/// the download is used instead of the time of the commit, because bodies that other monitors received in the
/// meantime are newer.
pub(super) fn target_row(
    row: &monitor::Model,
    fetched: &Fetched,
    body_hash: i64,
    at: Millis,
) -> monitor_target::Model {
    monitor_target::Model {
        url_key: row.url_key.clone(),
        url: row.target_url.clone(),
        etag: fetched.etag.clone(),
        last_modified: fetched.last_modified.clone(),
        content_type: fetched.content_type.clone(),
        final_url: Some(fetched.url.as_str().to_owned()),
        body_hash,
        body: None,
        fetched_at: at,
        checked_at: at,
        fetched_by: Some(row.account_id),
    }
}

/// Creates the rows of one run.
pub(super) struct RunWriter<'a> {
    pub(super) domain: &'a Domain,
    pub(super) context: &'a RunContext,
    pub(super) observation: &'a SourceObservation,
    /// Current row of the monitor.
    pub(super) row: &'a monitor::Model,
    pub(super) known: CommitFacts,
    pub(super) now: Millis,
    pub(super) cost: i64,
}

impl RunWriter<'_> {
    /// Adds the rows of this run and returns the change that it detected. `next` is the status of the monitor
    /// and the time of its next run, or `None` if the run failed.
    pub(super) fn write(
        self,
        result: &mut RunResult,
        next: Option<(Status, Millis)>,
        rows: &mut RunRows,
    ) -> Result<Option<(Change, ChangeFacts)>> {
        rows.runs.push(self.run(result)?);
        self.target(rows);
        let mut change = None;
        if let Some(evaluation) = &mut result.evaluation {
            let new = evaluation.change.take();
            self.snapshots(evaluation, rows);
            change = new.map(|new| self.change(new));
            if let Some((change, _)) = &change {
                rows.changes.push(change.row(self.row.account_id)?);
            }
        }
        if let Some(next) = next {
            rows.evaluated.push(self.evaluated(result, next)?);
        }
        Ok(change)
    }

    fn run(&self, result: &RunResult) -> Result<monitor_run::Model> {
        let count = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let evaluation = result.evaluation.as_ref();
        Ok(monitor_run::Model {
            added: evaluation.map_or(0, |evaluation| count(evaluation.added)),
            removed: evaluation.map_or(0, |evaluation| count(evaluation.removed)),
            modified: evaluation.map_or(0, |evaluation| count(evaluation.modified)),
            credits: i32::try_from(self.cost).unwrap_or(0),
            error_code: result.failed.as_ref().map(|failed| failed.code.as_str().to_owned()),
            warnings: Some(self.observation.warnings())
                .filter(|warnings| !warnings.is_empty())
                .map(|warnings| serde_json::to_string(&warnings))
                .transpose()
                .map_err(Error::internal)?,
            content_hash: evaluation
                .filter(|_| result.failed.is_none())
                .map(|evaluation| evaluation.observed_hash.clone()),
            decision: Some(result.decision().with_channels(&self.row.notify).as_str().to_owned()),
            ..run_row(self.context, result.outcome, self.now)
        })
    }

    /// Adds the response metadata of the source, and the body if other monitors share it.
    fn target(&self, rows: &mut RunRows) {
        let Some(answered) = &self.observation.answered else { return };
        let Some(fetched) = &answered.fetched else { return };
        // A body without a hash is not shared, and the next request is unconditional.
        let body_hash = self.observation.body_hash.or(answered.body_hash).unwrap_or(0);
        let target = monitor_target::Model {
            body: self.observation.shared_body.clone().filter(|_| body_hash != 0),
            ..target_row(&self.context.row, fetched, body_hash, answered.at)
        };
        if fetched.not_modified {
            let known = self.context.target.as_ref().map_or(0, |target| target.body_hash);
            rows.confirmed.push((target, known));
        } else {
            rows.targets.push(target);
        }
    }

    fn snapshots(&self, evaluation: &mut Evaluation, rows: &mut RunRows) {
        let mut contents = std::mem::take(&mut evaluation.contents);
        // The reported snapshot and the new baseline may be equal.
        let mut hashes = HashSet::new();
        contents.retain(|content| hashes.insert(content.hash.clone()));
        rows.snapshots.extend(contents.into_iter().map(|content| monitor_snapshot::Model {
            account_id: self.row.account_id,
            monitor_id: self.row.id,
            hash: content.hash,
            content: content.encoded,
            seen_at: self.now,
        }));
    }

    fn change(&self, new: NewChange) -> (Change, ChangeFacts) {
        // The last successful run may have received the same body without evaluating it.
        let previous_check_at = new.previous_check_at.max(self.known.last_good_run);
        let (mut summary, mut facts) = (new.summary, new.facts);
        // After a gap, readers must be informed about the age of the previous content.
        let RunContext { row, plan, .. } = self.context;
        let is_gap = |last: &Millis| next_run::is_gap(row, plan, *last, self.now);
        if let Some(last) = previous_check_at.filter(is_gap) {
            summary = message_text::since(Language::English, &summary, last);
            facts.previous_check_at = Some(last);
        }
        let change = Change {
            id: self.domain.new_id(),
            monitor_id: self.row.id,
            run_id: self.context.args.run_id,
            detected_at: self.now,
            kind: new.kind.to_owned(),
            url: self.row.target_url.clone(),
            title: new.title,
            summary,
            operations: new.operations,
            before_hash: Some(new.before_hash),
            after_hash: Some(new.after_hash),
            previous_check_at,
            explanation: None,
        };
        (change, facts)
    }

    /// State of a monitor after a successful run.
    fn evaluated(&self, result: &RunResult, (status, next): (Status, Millis)) -> Result<EvaluatedMonitor> {
        let contents = match &result.evaluation {
            None => None,
            Some(evaluation) => Some(EvaluatedContents {
                baseline_hash: evaluation.baseline_hash.clone(),
                observed_hash: evaluation.observed_hash.clone(),
                recent: serde_json::to_string(&evaluation.recent_contents).map_err(Error::internal)?,
                masks: serde_json::to_string(&evaluation.memory).map_err(Error::internal)?,
            }),
        };
        Ok(EvaluatedMonitor {
            id: self.row.id,
            status,
            next_run_at: (status == Status::Active).then_some(next),
            last_change_at: (result.outcome == Outcome::Changed).then_some(self.now),
            body_hash: if result.must_reevaluate { Some(0) } else { self.observation.body_hash },
            contents,
        })
    }
}
