//! Evaluates the observation of a run against the state of previous checks, on a blocking thread. An
//! observation that cannot be evaluated does not change the state.

use entities::monitor;
use extract::watch::{self, Masks, Observation, Snapshot, SnapshotError, Suspicion, Target, Unwatched, Wall};

use super::decision::Decision;
use super::evaluate::{self, Evaluation, PreviousState, TimedSnapshot};
use super::fetch::RunContext;
use super::memory::{DoubtVerdict, Memory, RecentContents};
use super::monitor::{Definition, TargetType};
use super::observation::{ObservedContent, SourceObservation};
use super::outcome::{Outcome, RECHECK, RunError};
use super::rules;
use super::stored_snapshots::{self, StoredSnapshots};
use kernel::{Code, Domain, Error, Millis, Result};

/// Number of consecutive checks without items after which a list is treated as empty.
const EMPTY_CHECKS: u8 = 2;

/// Result of a run before it is committed.
pub(super) struct RunResult {
    pub(super) outcome: Outcome,
    pub(super) failed: Option<RunError>,
    pub(super) evaluation: Option<Evaluation>,
    /// True if the run evaluated a body that had not been evaluated before. Only such a run costs credits.
    pub(super) evaluated_new_body: bool,
    /// True if the next run must evaluate the body even if it is unchanged.
    pub(super) must_reevaluate: bool,
    /// Time after which the source is checked again, if that is earlier than the next run.
    pub(super) recheck_after: Option<Millis>,
}

/// Evaluates an observation against the stored state.
pub(super) async fn evaluate_observation(
    domain: &Domain,
    context: &RunContext,
    observation: &SourceObservation,
) -> Result<RunResult> {
    let required = observation.required_snapshots(&context.row);
    let stored = stored_snapshots::load(domain, &context.row, required).await?;
    evaluate_against(context, observation, stored).await
}

/// Evaluates an observation against snapshots that are already loaded.
pub(super) async fn evaluate_against(
    context: &RunContext,
    observation: &SourceObservation,
    stored: StoredSnapshots,
) -> Result<RunResult> {
    match &observation.content {
        ObservedContent::Failed(failed) => return Ok(RunResult::error(failed.clone())),
        // If the owner reset the baseline in the meantime, there is no snapshot of the unchanged body.
        ObservedContent::Same if context.row.baseline_hash.is_none() => {
            return Ok(RunResult::error(RunError::superseded()));
        }
        ObservedContent::Same if !Memory::read(&context.row.masks).depends_on_time() => {
            return Ok(RunResult::of(Outcome::Unchanged));
        }
        ObservedContent::Same | ObservedContent::Content(_) => {}
    }
    let at = observation.answered.as_ref().map_or(context.started_at, |answered| answered.at);
    let evaluator = SnapshotEvaluator {
        definition: context.definition.clone(),
        kind: context.kind,
        row: context.row.clone(),
        stored,
        learned: observation.learned.clone(),
        at,
        // A monitor has at most one check at a time. Therefore content that it downloaded itself is newer
        // than the last evaluated content, even if the clock indicates otherwise.
        is_own: observation.answered.as_ref().is_none_or(|answered| answered.fetched.is_some()),
    };
    let content = observation.content.clone();
    let evaluated = tokio::task::spawn_blocking(move || match content {
        ObservedContent::Content(seen) => evaluator.evaluate_content(&seen),
        ObservedContent::Same | ObservedContent::Failed(_) => evaluator.evaluate_same(),
    });
    evaluated.await.map_err(Error::internal)?
}

/// Input of an evaluation on a blocking thread. For ordinary pages, decompression and comparison take about a
/// millisecond.
struct SnapshotEvaluator {
    definition: Definition,
    kind: TargetType,
    row: monitor::Model,
    stored: StoredSnapshots,
    /// Noise masks that were learned in this check.
    learned: Option<Masks>,
    /// Time at which the content was received from the source, in milliseconds since the epoch.
    at: Millis,
    /// True if this check downloaded the content itself.
    is_own: bool,
}

impl SnapshotEvaluator {
    /// Evaluates an unchanged body again, because the result may depend on the time.
    fn evaluate_same(self) -> Result<RunResult> {
        let before = self.stored.previous(&self.row)?;
        match self.stored.observed()? {
            None => Ok(RunResult::of(Outcome::Unchanged)),
            Some(seen) => {
                let result = self.evaluate(before, &seen, self.at);
                Ok(RunResult { evaluated_new_body: false, ..result })
            }
        }
    }

    fn evaluate_content(mut self, seen: &Observation) -> Result<RunResult> {
        let mut before = self.stored.previous(&self.row)?;
        if let Some(learned) = self.learned.take()
            && before.memory.learn(learned)
        {
            // Fingerprints that were computed under other masks are not comparable.
            before.recent_contents = RecentContents::default();
        }
        let last = before.memory.checked_at;
        let at = if self.is_own { last.map_or(self.at, |last| self.at.max(last)) } else { self.at };
        if last.is_some_and(|last| at < last) {
            // Content that is older than the last evaluated content is rejected.
            return Ok(RunResult::error(RunError::unusable(Code::SourceInvalidResponse)));
        }
        if before.baseline.is_none() && seen.suspicion.is_some_and(Suspicion::is_refused_at_first) {
            return Ok(RunResult::error(RunError::unusable(Code::SourceInvalidResponse)));
        }
        // If the monitor accepts any status, a response that does not resemble the page is also content.
        let known = before.baseline.as_ref().filter(|_| !self.definition.request.any_status);
        let doubt = known.and_then(|known| watch::doubt(&known.snapshot, seen));
        match before.memory.record_doubt(doubt, at) {
            DoubtVerdict::Content if is_wall_without_text(seen) => {
                return Ok(RunResult::error(RunError::unusable(Code::NoReadableText)));
            }
            DoubtVerdict::Content => {}
            DoubtVerdict::Unconfirmed => return Ok(self.unconfirmed(before)),
            DoubtVerdict::Confirmed(wall) => return Ok(self.report_wall(before, &seen.snapshot, at, wall)),
            DoubtVerdict::Known => {
                let evaluation = Evaluation::pending(before, &self.row, Decision::NotThePage);
                return Ok(RunResult {
                    evaluation,
                    must_reevaluate: true,
                    ..RunResult::of(Outcome::Unchanged)
                });
            }
        }
        match absence(&self.definition, &before, seen) {
            Absence::None => {}
            Absence::Unknown => return Ok(RunResult::error(RunError::absent())),
            Absence::Unconfirmed => {
                before.memory.empty_checks += 1;
                let evaluation = Evaluation::pending(before, &self.row, Decision::Unconfirmed);
                return Ok(RunResult {
                    evaluation,
                    evaluated_new_body: true,
                    must_reevaluate: true,
                    recheck_after: Some(RECHECK),
                    ..RunResult::of(Outcome::Unchanged)
                });
            }
        }
        Ok(self.evaluate_page(before, seen, at))
    }

    /// Evaluates content that is accepted as the watched page.
    fn evaluate_page(&self, mut before: PreviousState, seen: &Observation, at: Millis) -> RunResult {
        let certain = seen.suspicion.filter(|suspicion| suspicion.is_certain);
        before.memory.is_awaited = false;
        before.memory.page_wall = certain.map(|suspicion| suspicion.wall);
        if seen.language.is_some() {
            before.memory.language.clone_from(&seen.language);
        }
        if before.memory.renew_form() {
            let content = TimedSnapshot { snapshot: &seen.snapshot, at };
            before = match evaluate::renewed(&self.definition, before, content) {
                Ok(before) => before,
                Err(error) => return Self::finish(Err(error)),
            };
        }
        self.evaluate(before, &seen.snapshot, at)
    }

    /// Result for content that may not be the watched page. Only the doubt is stored.
    fn unconfirmed(&self, before: PreviousState) -> RunResult {
        let evaluation = Evaluation::pending(before, &self.row, Decision::Unconfirmed);
        RunResult { evaluation, ..RunResult::error(RunError::doubtful()) }
    }

    fn report_wall(&self, before: PreviousState, snapshot: &Snapshot, at: Millis, wall: Wall) -> RunResult {
        let seen = TimedSnapshot { snapshot, at };
        let result = evaluate::evaluate_wall(&self.definition, self.kind, before, seen, wall);
        RunResult { must_reevaluate: true, ..Self::finish(result) }
    }

    /// Evaluates the first content of a page that did not exist before. `None` if there is no change to
    /// report.
    fn evaluate_arrival(&self, before: &PreviousState, seen: TimedSnapshot<'_>) -> Option<Evaluation> {
        if before.baseline.is_some() || !rules::is_awaited(&self.row) {
            return None;
        }
        evaluate::evaluate_arrival(&self.definition, self.kind, before.clone(), seen).ok()?
    }

    fn evaluate(&self, before: PreviousState, snapshot: &Snapshot, at: Millis) -> RunResult {
        let seen = TimedSnapshot { snapshot, at };
        let mut result = match self.evaluate_arrival(&before, seen) {
            Some(arrival) => Ok(arrival),
            None => evaluate::evaluate(&self.definition, self.kind, before, seen),
        };
        if let Ok(evaluation) = &mut result {
            let rules = evaluate::rules_of(&self.definition, &evaluation.memory);
            let hidden = watch::unwatched(snapshot, &rules);
            evaluation.memory.set_unwatched(hidden.iter().filter_map(Unwatched::describe));
        }
        Self::finish(result)
    }

    fn finish(result: std::result::Result<Evaluation, SnapshotError>) -> RunResult {
        match result {
            Ok(evaluation) => RunResult {
                outcome: evaluation.outcome,
                failed: None,
                evaluation: Some(evaluation),
                evaluated_new_body: true,
                must_reevaluate: false,
                recheck_after: None,
            },
            Err(error) => {
                tracing::warn!(%error, "snapshot too large to store");
                RunResult::error(RunError::unusable(Code::ContentTooLarge))
            }
        }
    }
}

/// True for a wall without text, such as a form with buttons only. Such a wall has no content to compare.
fn is_wall_without_text(seen: &Observation) -> bool {
    seen.absent.is_none()
        && seen.suspicion.is_some_and(|suspicion| suspicion.is_certain)
        && matches!(&seen.snapshot, Snapshot::Blocks(blocks) if blocks.is_empty())
}

/// Interpretation of missing selected content.
enum Absence {
    /// Content is present, or the monitor watches its absence.
    None,
    /// The absence may be temporary. The next check confirms or refutes it.
    Unconfirmed,
    /// The selector may be wrong.
    Unknown,
}

fn absence(definition: &Definition, before: &PreviousState, seen: &Observation) -> Absence {
    if seen.absent.is_none() || definition.allow_empty {
        return Absence::None;
    }
    if definition.target.has_several_selectors() && before.baseline.is_some() {
        // With several selectors, the watched content includes whether each of them matches.
        return Absence::None;
    }
    match &definition.target {
        Target::Page { .. } if definition.trigger.reads_texts() => Absence::None,
        Target::Page { .. }
        | Target::Sitemap { .. }
        | Target::Calendar
        | Target::File
        | Target::Image
        | Target::Visual { .. }
        | Target::Headers { .. } => Absence::Unknown,
        Target::Extract { .. } | Target::Product if before.baseline.is_none() => Absence::Unknown,
        Target::Extract { items: None, .. } => Absence::None,
        Target::Extract { items: Some(_), .. } | Target::Product => {
            let was_empty = before.baseline.as_ref().is_some_and(|baseline| baseline.snapshot.is_empty());
            let is_again = before.memory.empty_checks + 1 >= EMPTY_CHECKS;
            if was_empty || is_again { Absence::None } else { Absence::Unconfirmed }
        }
    }
}

impl RunResult {
    fn of(outcome: Outcome) -> Self {
        Self {
            outcome,
            failed: None,
            evaluation: None,
            evaluated_new_body: false,
            must_reevaluate: false,
            recheck_after: None,
        }
    }

    /// Reason why the run reports a change, or why it reports no change.
    pub(super) fn decision(&self) -> Decision {
        let decided = self.evaluation.as_ref().map(|evaluation| evaluation.decision);
        decided.unwrap_or(Decision::of_outcome(self.outcome))
    }

    /// Result of a run that failed.
    pub(super) fn error(failed: RunError) -> Self {
        Self { failed: Some(failed), must_reevaluate: true, ..Self::of(Outcome::Error) }
    }
}

#[cfg(test)]
mod tests;
