//! Evaluating a content: whether it says anything that was not seen before and is worth telling. What is
//! compared here is our own plain data; nothing is read or written.

use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use extract::watch::{
    self, Comparison, DefaultMasks, Look, Masks, Operation, Rules, Snapshot, SnapshotError, Truths, Verdict,
    render,
};
use serde::{Deserialize, Serialize};

use super::outcome::Outcome;
use super::render::{clean, kind_of};
use super::{Definition, TargetType};
use crate::clock::Millis;

/// Contents that a content is compared with before it is news: what comes back is none.
const RECENT: usize = 5;
/// After this long two contents are told to differ as a whole.
const COMPARED: Duration = Duration::from_secs(1);

/// What became of a content that was looked at.
pub(super) struct Evaluation {
    pub(super) outcome: Outcome,
    pub(super) added: u32,
    pub(super) removed: u32,
    pub(super) modified: u32,
    /// The content, when it is to be stored.
    pub(super) kept: Option<Content>,
    /// The content that the next one is compared with.
    pub(super) baseline_hash: String,
    /// A stored content that is needed no longer, unless a change speaks of it.
    pub(super) dropped: Option<String>,
    pub(super) recent: Vec<String>,
    pub(super) memory: NoiseModel,
    pub(super) change: Option<NewChange>,
}

/// A content to be stored.
pub(super) struct Content {
    pub(super) hash: String,
    pub(super) packed: Vec<u8>,
}

/// A change to be written.
pub(super) struct NewChange {
    pub(super) kind: &'static str,
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) operations: Vec<Operation>,
    pub(super) before_hash: String,
    pub(super) after_hash: String,
}

/// What is remembered of a source's noise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NoiseModel {
    /// Whether the source was looked at for noise.
    #[serde(default)]
    has_learned: bool,
    /// What never triggers.
    #[serde(default)]
    masks: Masks,
    /// Where a trigger with a value holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    truths: Option<Truths>,
}

impl NoiseModel {
    /// A stored memory; an empty one for a monitor that has not looked yet.
    pub(super) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Whether the source was looked at for noise.
    pub(super) fn has_learned(&self) -> bool {
        self.has_learned
    }

    /// Learns from fetches that were made one right after the other: what differs in each of them is noise.
    pub(super) fn learn(&mut self, looks: &[&Snapshot]) {
        self.has_learned = true;
        self.masks = watch::learn(looks);
    }
}

/// What was seen before.
#[derive(Clone)]
pub(super) struct Previous {
    pub(super) baseline: Option<Baseline>,
    pub(super) recent: Vec<String>,
    pub(super) memory: NoiseModel,
    /// When the content to be evaluation was seen.
    pub(super) at: Millis,
}

/// The content that the next one is compared with.
#[derive(Clone)]
pub(super) struct Baseline {
    pub(super) hash: String,
    pub(super) snapshot: Snapshot,
}

/// The same, when there is something to compare with.
struct Since {
    baseline: Baseline,
    recent: Vec<String>,
    memory: NoiseModel,
    at: Millis,
}

/// Evaluates a content against what was seen before. A content that is no change leaves the baseline where it
/// is, so that small steps add up to a change that is told.
pub(super) fn evaluate(
    definition: &Definition,
    kind: TargetType,
    mut before: Previous,
    seen: &Snapshot,
) -> Result<Evaluation, SnapshotError> {
    let has_truth = Truths::has(&definition.trigger, &definition.target);
    match before.baseline.take() {
        None => first(definition, before, seen),
        Some(baseline) if has_truth => by_truth(definition, kind, before.since(baseline), seen),
        Some(baseline) => by_difference(definition, kind, before.since(baseline), seen),
    }
}

/// The first content: it is told to nobody, whatever holds of it.
fn first(definition: &Definition, before: Previous, seen: &Snapshot) -> Result<Evaluation, SnapshotError> {
    let Previous { mut memory, at, .. } = before;
    let trigger = &definition.trigger;
    memory.truths =
        Truths::has(trigger, &definition.target).then(|| Truths::of(trigger, look(definition, seen, at)));
    let recent = vec![mark(seen, &rules_of(definition, &memory))];
    let content = Content::of(seen)?;
    let first = Evaluation::unchanged(content.hash.clone(), recent, memory);
    Ok(Evaluation { outcome: Outcome::Baseline, kept: Some(content), ..first })
}

/// A trigger with a value fires when it turns true, whatever is noise; and what fires is told.
fn by_truth(
    definition: &Definition,
    kind: TargetType,
    before: Since,
    seen: &Snapshot,
) -> Result<Evaluation, SnapshotError> {
    let Since { baseline, recent, mut memory, at } = before;
    let trigger = &definition.trigger;
    let known = memory.truths.take().filter(|truths| truths.are_of(trigger));
    let mut truths = known.unwrap_or_else(|| Truths::of(trigger, look(definition, &baseline.snapshot, at)));
    let verdict = truths.observe(&baseline.snapshot, look(definition, seen, at));
    memory.truths = Some(truths);
    let rules = rules_of(definition, &memory);
    let mut evaluation = Evaluation::unchanged(baseline.hash, recent, memory);
    match verdict {
        Verdict::Quiet => {}
        Verdict::Reference(reference) => evaluation.move_to(Content::of(&reference)?),
        Verdict::Fired => {
            let mut comparison = compare(&baseline.snapshot, seen, &rules);
            if comparison.is_empty() {
                let unmasked = Rules { masks: Masks::default(), defaults: DefaultMasks::Skip, ..rules };
                comparison = compare(&baseline.snapshot, seen, &unmasked);
            }
            evaluation.tell(kind, comparison, Content::of(seen)?);
        }
    }
    Ok(evaluation)
}

/// Everything else is told when it differs from all that was seen lately, noise left out, and the trigger wants
/// it.
fn by_difference(
    definition: &Definition,
    kind: TargetType,
    before: Since,
    seen: &Snapshot,
) -> Result<Evaluation, SnapshotError> {
    let Since {
        baseline: Baseline { hash: baseline_hash, snapshot: baseline }, mut recent, mut memory, ..
    } = before;
    // Marks that were made under other rules compare with nothing.
    if memory.masks.settle(&baseline, seen) || recent.is_empty() {
        recent = vec![mark(&baseline, &rules_of(definition, &memory))];
    }
    let rules = rules_of(definition, &memory);
    let mut evaluation = Evaluation::unchanged(baseline_hash, recent, memory);
    let now = mark(seen, &rules);
    if now == mark(&baseline, &rules) {
        // Where noise was learned, the next look is compared with this one, to see what has come to rest.
        let content = Content::of(seen)?;
        if !rules.masks.is_empty() && content.hash != evaluation.baseline_hash {
            evaluation.move_to(content);
        }
        return Ok(evaluation);
    }
    if let Some(place) = evaluation.recent.iter().position(|known| *known == now) {
        let back = evaluation.recent.remove(place);
        evaluation.recent.push(back);
        evaluation.move_to(Content::of(seen)?);
        return Ok(evaluation);
    }
    let comparison = compare(&baseline, seen, &rules);
    if !definition.trigger.holds(&comparison, &baseline, seen) {
        return Ok(evaluation);
    }
    evaluation.tell(kind, comparison, Content::of(seen)?);
    evaluation.recent.push(now);
    let beyond = evaluation.recent.len().saturating_sub(RECENT);
    evaluation.recent.drain(..beyond);
    Ok(evaluation)
}

/// Whether a trigger would tell what lies between two contents, and how many operations that is.
pub(super) fn count_notified(
    definition: &Definition,
    rules: &Rules,
    old: &Snapshot,
    new: &Snapshot,
) -> usize {
    let comparison = compare(old, new, rules);
    let trigger = &definition.trigger;
    let holds = if Truths::has(trigger, &definition.target) {
        let mut truths = Truths::of(trigger, look(definition, old, 0));
        truths.observe(old, look(definition, new, 0)) == Verdict::Fired
    } else {
        trigger.holds(&comparison, old, new)
    };
    if holds { comparison.operations.len().max(1) } else { 0 }
}

fn look<'a>(definition: &'a Definition, seen: &'a Snapshot, at: Millis) -> Look<'a> {
    Look { target: &definition.target, ignore: &definition.ignore, seen, at }
}

/// The normalised content, as a few letters.
fn mark(snapshot: &Snapshot, rules: &Rules) -> String {
    HEXLOWER.encode(&watch::fingerprint(snapshot, rules))
}

/// How contents are compared.
pub(super) fn rules_of(definition: &Definition, memory: &NoiseModel) -> Rules {
    Rules {
        ignore: definition.ignore.clone(),
        masks: memory.masks.clone(),
        ordered: definition.ordered,
        ..Rules::default()
    }
}

/// Whether a content differs from the baseline at all, noise included.
pub(super) fn differs(definition: &Definition, before: &Previous, seen: &Snapshot) -> bool {
    let rules = rules_of(definition, &before.memory);
    let Some(baseline) = &before.baseline else { return false };
    watch::fingerprint(&baseline.snapshot, &rules) != watch::fingerprint(seen, &rules)
}

/// Compares two contents, within the time that a change may take.
fn compare(before: &Snapshot, after: &Snapshot, rules: &Rules) -> Comparison {
    watch::compare(before, after, rules, Instant::now() + COMPARED)
}

impl Content {
    fn of(seen: &Snapshot) -> Result<Self, SnapshotError> {
        Ok(Self { hash: HEXLOWER.encode(&seen.content_hash()), packed: seen.encode()? })
    }
}

impl Previous {
    /// What was seen before, now that there is something.
    fn since(self, baseline: Baseline) -> Since {
        Since { baseline, recent: self.recent, memory: self.memory, at: self.at }
    }
}

impl Evaluation {
    /// Nothing worth telling: the next look is compared with the same content.
    fn unchanged(baseline_hash: String, recent: Vec<String>, memory: NoiseModel) -> Self {
        Self {
            outcome: Outcome::Unchanged,
            added: 0,
            removed: 0,
            modified: 0,
            kept: None,
            baseline_hash,
            dropped: None,
            recent,
            memory,
            change: None,
        }
    }

    /// Has this content told, and the next look compared with it.
    fn tell(&mut self, kind: TargetType, comparison: Comparison, content: Content) {
        self.outcome = Outcome::Changed;
        self.added = comparison.added;
        self.removed = comparison.removed;
        self.modified = comparison.modified;
        let before_hash = std::mem::replace(&mut self.baseline_hash, content.hash.clone());
        self.change = Some(NewChange {
            kind: kind_of(kind, &comparison.operations),
            title: clean(&render::title(&comparison)),
            summary: clean(&render::summary(&comparison)),
            operations: comparison.operations,
            before_hash,
            after_hash: content.hash.clone(),
        });
        self.kept = Some(content);
    }

    /// Has the next look compared with this content, without a word.
    fn move_to(&mut self, content: Content) {
        self.dropped = Some(std::mem::replace(&mut self.baseline_hash, content.hash.clone()));
        self.kept = Some(content);
    }
}

#[cfg(test)]
mod tests;
