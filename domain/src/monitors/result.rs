//! What a run came to: what was seen is weighed against what was seen before, away from the async threads. A look that
//! cannot be judged changes nothing.

use std::sync::Arc;

use extract::watch::{Observation, Snapshot, Target, TriggerKind};

use super::evaluate::{self, Evaluation, Previous, Seen};
use super::fetch::RunContext;
use super::look::{Looked, Sight};
use super::monitor::Definition;
use super::outcome::{Outcome, RunError};
use super::previous;
use crate::clock::Millis;
use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;

/// Looks in a row that find no item, after which there is none.
const EMPTY_LOOKS: u8 = 2;

/// What a run came to, before it is written.
pub(super) struct RunResult {
    pub(super) outcome: Outcome,
    pub(super) failed: Option<RunError>,
    pub(super) evaluation: Option<Evaluation>,
    /// Whether a body was judged that had not been judged before.
    pub(super) is_judged: bool,
    /// Whether the next run shall look again, whatever body there is.
    pub(super) looks_again: bool,
}

/// What a run comes to by what was seen.
///
/// # Errors
/// `Unavailable` and `Internal` when what was seen before cannot be had.
pub(super) async fn weigh(domain: &Domain, context: &RunContext, looked: &Looked) -> Result<RunResult> {
    let at = looked.answered.as_ref().map_or(context.started_at, |answered| answered.at);
    // One look of a monitor is made at a time: what it downloaded itself is newer than what it judged before, though
    // the clock says otherwise.
    let is_own = looked.answered.as_ref().is_none_or(|answered| answered.fetched.is_some());
    match &looked.sight {
        Sight::Failed(failed) => Ok(RunResult::error(failed.clone())),
        Sight::Same => weigh_same(domain, context, at).await,
        Sight::Content(seen) => {
            let mut before = previous::load(domain, &context.row).await?;
            if let Some(learned) = &looked.learned
                && before.memory.learn(learned.clone())
            {
                // What was seen through other masks goes back and forth with nothing.
                before.trail = super::memory::Trail::default();
            }
            let at = if is_own { before.memory.looked_at.map_or(at, |last| at.max(last)) } else { at };
            weigh_content(context, before, Arc::clone(seen), at).await
        }
    }
}

/// The same body again says something only where time is what is waited for.
async fn weigh_same(domain: &Domain, context: &RunContext, at: Millis) -> Result<RunResult> {
    if context.row.baseline_hash.is_none() {
        // Its owner began anew meanwhile: the body is the same as one that is known no more.
        return Ok(RunResult::error(RunError::superseded()));
    }
    let before = previous::load(domain, &context.row).await?;
    if !before.memory.waits_for_time() {
        return Ok(RunResult::of(Outcome::Unchanged));
    }
    match previous::load_observed(domain, &context.row).await? {
        None => Ok(RunResult::of(Outcome::Unchanged)),
        Some(seen) => {
            let result = evaluate_apart(context, before, seen, at).await?;
            Ok(RunResult { is_judged: false, ..result })
        }
    }
}

async fn weigh_content(
    context: &RunContext,
    mut before: Previous,
    seen: Arc<Observation>,
    at: Millis,
) -> Result<RunResult> {
    if before.memory.looked_at.is_some_and(|last| at < last) {
        // Time does not go back.
        return Ok(RunResult::error(RunError::unusable(Code::SourceInvalidResponse)));
    }
    match absence(&context.definition, &before, &seen) {
        Absence::None => {}
        Absence::Unknown => return Ok(RunResult::error(RunError::absent())),
        Absence::Perhaps => {
            before.memory.empty_looks += 1;
            let evaluation = Evaluation::pending(before, &context.row);
            return Ok(RunResult {
                evaluation,
                is_judged: true,
                looks_again: true,
                ..RunResult::of(Outcome::Unchanged)
            });
        }
    }
    if seen.language.is_some() {
        before.memory.language.clone_from(&seen.language);
    }
    evaluate_apart(context, before, seen.snapshot.clone(), at).await
}

/// What it means that nothing is there of what is watched.
enum Absence {
    /// Something is there, or that nothing is there is what is to be seen.
    None,
    /// It may be a mistake: the next look says.
    Perhaps,
    /// It is not known whether the selector is right.
    Unknown,
}

fn absence(definition: &Definition, before: &Previous, seen: &Observation) -> Absence {
    if seen.absent.is_none() || definition.allow_empty {
        return Absence::None;
    }
    let waits_for_text =
        matches!(definition.trigger.kind, TriggerKind::TextAppears | TriggerKind::TextDisappears);
    match &definition.target {
        Target::Page { .. } if waits_for_text => Absence::None,
        Target::Page { .. } | Target::Sitemap { .. } => Absence::Unknown,
        Target::Extract { .. } if before.baseline.is_none() => Absence::Unknown,
        Target::Extract { items: None, .. } => Absence::None,
        Target::Extract { items: Some(_), .. } => {
            let was_empty = before.baseline.as_ref().is_some_and(|baseline| baseline.snapshot.is_empty());
            let is_again = before.memory.empty_looks + 1 >= EMPTY_LOOKS;
            if was_empty || is_again { Absence::None } else { Absence::Perhaps }
        }
    }
}

async fn evaluate_apart(
    context: &RunContext,
    before: Previous,
    seen: Snapshot,
    at: Millis,
) -> Result<RunResult> {
    let (definition, kind) = (context.definition.clone(), context.kind);
    let evaluation = tokio::task::spawn_blocking(move || {
        evaluate::evaluate(&definition, kind, before, Seen { snapshot: &seen, at })
    });
    match evaluation.await.map_err(Error::internal)? {
        Ok(evaluation) => Ok(RunResult {
            outcome: evaluation.outcome,
            failed: None,
            evaluation: Some(evaluation),
            is_judged: true,
            looks_again: false,
        }),
        Err(error) => {
            tracing::warn!(%error, "what a monitor saw is too much to be kept");
            Ok(RunResult::error(RunError::unusable(Code::ContentTooLarge)))
        }
    }
}

impl RunResult {
    fn of(outcome: Outcome) -> Self {
        Self { outcome, failed: None, evaluation: None, is_judged: false, looks_again: false }
    }

    /// A run without a look that could be judged.
    pub(super) fn error(failed: RunError) -> Self {
        Self { failed: Some(failed), looks_again: true, ..Self::of(Outcome::Error) }
    }
}

#[cfg(test)]
mod tests;
