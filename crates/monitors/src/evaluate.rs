//! Determines whether a snapshot contains a change to report. Works on trusted plain data, without I/O.

use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use entities::monitor;
use extract::watch::{
    self, Comparison, DefaultMasks, EvaluationInput, Masks, Operation, Rules, Snapshot, SnapshotError,
    Target, TriggerKind, Truths, Verdict, Wall, render,
};

use super::decision::Decision;
use super::memory::{FlipState, Memory, RecentContents};
use super::message_text::{self, ChangeCause, ChangeFacts};
use super::monitor::{Definition, TargetType};
use super::outcome::Outcome;
use super::render::{clean, kind_of};
use kernel::{Language, Millis};

/// Time limit for a comparison. If it is exceeded, the snapshots are reported as entirely different.
const COMPARE_TIMEOUT: Duration = Duration::from_secs(1);

/// Result of evaluating a snapshot.
pub(super) struct Evaluation {
    pub(super) outcome: Outcome,
    /// Reason why a change is reported, or why it is not reported.
    pub(super) decision: Decision,
    pub(super) added: u32,
    pub(super) removed: u32,
    pub(super) modified: u32,
    /// Snapshots to store.
    pub(super) contents: Vec<PackedSnapshot>,
    /// Hash of the snapshot that is the baseline of the next check.
    pub(super) baseline_hash: String,
    /// Hash of the observed snapshot.
    pub(super) observed_hash: String,
    pub(super) recent_contents: RecentContents,
    pub(super) memory: Memory,
    pub(super) change: Option<NewChange>,
}

/// Packed snapshot to store.
pub(super) struct PackedSnapshot {
    pub(super) hash: String,
    pub(super) encoded: Vec<u8>,
}

/// Change to record.
pub(super) struct NewChange {
    pub(super) kind: &'static str,
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) operations: Vec<Operation>,
    pub(super) facts: ChangeFacts,
    pub(super) before_hash: String,
    pub(super) after_hash: String,
    /// Download time of the snapshot that was evaluated last.
    pub(super) previous_check_at: Option<Millis>,
}

/// State that previous checks stored.
#[derive(Clone)]
pub(super) struct PreviousState {
    pub(super) baseline: Option<Baseline>,
    pub(super) recent_contents: RecentContents,
    pub(super) memory: Memory,
}

/// Snapshot with which the next snapshot is compared.
#[derive(Clone)]
pub(super) struct Baseline {
    pub(super) hash: String,
    pub(super) snapshot: Snapshot,
}

/// Snapshot with its download time.
#[derive(Clone, Copy)]
pub(super) struct TimedSnapshot<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) at: Millis,
}

/// Evaluates a snapshot against the state of previous checks. If the snapshot is not reported, the baseline
/// is not changed, so that small differences accumulate until they are reported. Triggers on additions and
/// removals compare with the last observed snapshot instead, so that every addition and removal is reported.
pub(super) fn evaluate(
    definition: &Definition,
    kind: TargetType,
    before: PreviousState,
    seen: TimedSnapshot<'_>,
) -> Result<Evaluation, SnapshotError> {
    let PreviousState { baseline, recent_contents, mut memory } = before;
    let previous_check_at = memory.checked_at.replace(seen.at);
    memory.empty_checks = 0;
    let Some(baseline) = baseline else { return evaluate_first(definition, memory, seen) };
    let since = EvaluationContext { definition, kind, baseline, previous_check_at };
    if Truths::has(&definition.trigger) {
        since.evaluate_condition(recent_contents, memory, seen)
    } else {
        since.evaluate_difference(recent_contents, memory, seen)
    }
}

/// Returns the state after an upgrade to a version that reads sources into a new form of snapshot. If only
/// the form differs, the content becomes the baseline. The state of the trigger is evaluated again.
pub(super) fn renewed(
    definition: &Definition,
    mut before: PreviousState,
    seen: TimedSnapshot<'_>,
) -> Result<PreviousState, SnapshotError> {
    let Some(Baseline { snapshot: known, .. }) = &before.baseline else { return Ok(before) };
    let rules = rules_of(definition, &before.memory);
    let older = seen.snapshot.in_older_form();
    let is_same = if Truths::has(&definition.trigger) {
        let language = before.memory.language.clone();
        let trigger_input = |snapshot| {
            trigger_input(definition, TimedSnapshot { snapshot, at: seen.at }, language.as_deref())
        };
        let mut truths = Truths::of(&definition.trigger, trigger_input(known));
        let is_same = truths.observe(known, trigger_input(&older)) != Verdict::Fired;
        let current = if is_same { seen.snapshot } else { known };
        before.memory.truths = Some(Truths::of(&definition.trigger, trigger_input(current)));
        is_same
    } else {
        fingerprint(known, &rules) == fingerprint(&older, &rules) || known.has_words_of(&older)
    };
    if is_same {
        let hash = PackedSnapshot::of(seen.snapshot)?.hash;
        before.baseline = Some(Baseline { hash, snapshot: seen.snapshot.clone() });
    }
    // Fingerprints of snapshots in another form are not comparable.
    before.recent_contents = RecentContents::default();
    Ok(before)
}

/// Evaluates the first snapshot. It becomes the baseline and is not reported.
fn evaluate_first(
    definition: &Definition,
    mut memory: Memory,
    seen: TimedSnapshot<'_>,
) -> Result<Evaluation, SnapshotError> {
    let trigger = &definition.trigger;
    let language = memory.language.clone();
    memory.truths = Truths::has(trigger)
        .then(|| Truths::of(trigger, trigger_input(definition, seen, language.as_deref())));
    let recent_contents =
        RecentContents::of(&fingerprint(seen.snapshot, &rules_of(definition, &memory)), seen.at);
    let content = PackedSnapshot::of(seen.snapshot)?;
    let mut evaluation = Evaluation::unchanged(&content.hash, &content.hash, recent_contents, memory);
    evaluation.outcome = Outcome::Baseline;
    evaluation.decision = Decision::FirstCheck;
    evaluation.contents.push(content);
    Ok(evaluation)
}

/// Evaluates the first snapshot of a page that did not exist before, as a difference from an empty page.
/// `None` if the trigger does not report the difference.
pub(super) fn evaluate_arrival(
    definition: &Definition,
    kind: TargetType,
    before: PreviousState,
    seen: TimedSnapshot<'_>,
) -> Result<Option<Evaluation>, SnapshotError> {
    let snapshot = match seen.snapshot {
        Snapshot::Blocks(_) => Snapshot::Blocks(Vec::new()),
        Snapshot::Urls(_) => Snapshot::Urls(Vec::new()),
        Snapshot::Items(_) => Snapshot::Items(Vec::new()),
    };
    let empty = PackedSnapshot::of(&snapshot)?;
    let baseline = Some(Baseline { hash: empty.hash.clone(), snapshot });
    let mut evaluation = evaluate(definition, kind, PreviousState { baseline, ..before }, seen)?;
    let Some(change) = &mut evaluation.change else { return Ok(None) };
    let title = message_text::page_exists(Language::English, &change.title);
    change.title = render::shortened_title(&title);
    change.summary = message_text::page_exists_detail(Language::English, &change.summary);
    change.facts.cause = ChangeCause::Arrival;
    evaluation.contents.push(empty);
    Ok(Some(evaluation))
}

/// Reports that the source returns a wall instead of the page. The baseline is retained.
pub(super) fn evaluate_wall(
    definition: &Definition,
    kind: TargetType,
    before: PreviousState,
    seen: TimedSnapshot<'_>,
    wall: Wall,
) -> Result<Evaluation, SnapshotError> {
    let PreviousState { baseline, recent_contents, mut memory } = before;
    let previous_check_at = memory.checked_at.replace(seen.at);
    let Some(baseline) = baseline else { return evaluate_first(definition, memory, seen) };
    let content = PackedSnapshot::of(seen.snapshot)?;
    let comparison = compare(&baseline.snapshot, seen.snapshot, &unmasked(rules_of(definition, &memory)));
    let page_hash = baseline.hash.clone();
    let mut evaluation = Evaluation::unchanged(&page_hash, &content.hash, recent_contents, memory);
    evaluation.report(&EvaluationContext { definition, kind, baseline, previous_check_at }, comparison);
    if let Some(change) = &mut evaluation.change {
        let text = message_text::of_wall(Language::English, wall);
        (change.title, change.summary) = (text.title, text.summary);
        change.facts.cause = ChangeCause::Wall(wall);
    }
    evaluation.baseline_hash.clone_from(&page_hash);
    evaluation.observed_hash = page_hash;
    evaluation.contents.push(content);
    Ok(evaluation)
}

/// Input for evaluating a snapshot other than the first one.
struct EvaluationContext<'a> {
    definition: &'a Definition,
    kind: TargetType,
    baseline: Baseline,
    previous_check_at: Option<Millis>,
}

impl EvaluationContext<'_> {
    /// Evaluates a trigger with a condition. The trigger fires when the condition becomes true. The change is
    /// then always reported, even if the difference is noise.
    fn evaluate_condition(
        self,
        recent_contents: RecentContents,
        mut memory: Memory,
        seen: TimedSnapshot<'_>,
    ) -> Result<Evaluation, SnapshotError> {
        let Self { definition, baseline, .. } = &self;
        let language = memory.language.clone();
        let trigger_input = |seen| trigger_input(definition, seen, language.as_deref());
        let known = memory.truths.take().filter(|truths| truths.are_of(&definition.trigger));
        let reported = TimedSnapshot { snapshot: &baseline.snapshot, at: seen.at };
        let mut truths = known.unwrap_or_else(|| Truths::of(&definition.trigger, trigger_input(reported)));
        let verdict = truths.observe(&baseline.snapshot, trigger_input(seen));
        memory.truths = Some(truths);
        let rules = rules_of(definition, &memory);
        let content = PackedSnapshot::of(seen.snapshot)?;
        let mut evaluation = Evaluation::unchanged(&baseline.hash, &content.hash, recent_contents, memory);
        match verdict {
            Verdict::NotFired => evaluation.decision = Decision::ConditionNotMet,
            Verdict::Reference(reference) => {
                evaluation.decision = Decision::ConditionNotMet;
                let reference = PackedSnapshot::of(&reference)?;
                evaluation.baseline_hash.clone_from(&reference.hash);
                evaluation.contents.push(reference);
            }
            Verdict::Fired => {
                let mut comparison = compare(&baseline.snapshot, seen.snapshot, &rules);
                if comparison.is_empty() {
                    comparison = compare(&baseline.snapshot, seen.snapshot, &unmasked(rules));
                }
                evaluation.report(&self, comparison);
            }
        }
        if content.hash == baseline.hash && evaluation.change.is_none() {
            evaluation.decision = Decision::NoDifference;
        }
        evaluation.contents.push(content);
        Ok(evaluation)
    }

    /// Evaluates a trigger without a condition. A snapshot is reported if it differs from the last reported
    /// snapshot by more than noise, and the trigger accepts the difference.
    fn evaluate_difference(
        self,
        mut recent_contents: RecentContents,
        mut memory: Memory,
        seen: TimedSnapshot<'_>,
    ) -> Result<Evaluation, SnapshotError> {
        let Self { definition, baseline, .. } = &self;
        let masks = memory.masks.clone();
        if memory.masks.update(&baseline.snapshot, seen.snapshot) && !memory.masks.is_equivalent(&masks) {
            // Fingerprints that were computed under other rules are not comparable.
            recent_contents = RecentContents::default();
        }
        let rules = rules_of(definition, &memory);
        let (now, reported) = (fingerprint(seen.snapshot, &rules), fingerprint(&baseline.snapshot, &rules));
        let flip = if self.can_flip() {
            memory.record_content(&mut recent_contents, &now, &reported, seen.at)
        } else {
            FlipState::None
        };
        let content = PackedSnapshot::of(seen.snapshot)?;
        let mut evaluation = Evaluation::unchanged(&baseline.hash, &content.hash, recent_contents, memory);
        if now == reported {
            if content.hash != baseline.hash {
                evaluation.decision = Decision::IgnoredDifference;
            }
            // If noise was learned, the next snapshot is compared with this one, to find masks whose text no
            // longer changes.
            if !rules.masks.is_empty() {
                evaluation.baseline_hash.clone_from(&content.hash);
            }
        } else if flip == FlipState::None {
            let comparison = compare(&baseline.snapshot, seen.snapshot, &rules);
            if comparison.is_empty() {
                evaluation.decision = Decision::IgnoredDifference;
            } else if let Some(accepted) = definition.trigger.apply(comparison) {
                evaluation.memory.record_positions(&accepted.operations, seen.snapshot);
                evaluation.report(&self, accepted);
            } else {
                evaluation.decision = Decision::ConditionNotMet;
            }
        } else {
            evaluation.decision = Decision::Alternating;
        }
        if self.follows_observed() {
            evaluation.baseline_hash.clone_from(&content.hash);
        }
        evaluation.contents.push(content);
        Ok(evaluation)
    }

    /// True if the next snapshot is compared with the last observed snapshot. If an element was removed
    /// without a report, its next addition must still be reported.
    fn follows_observed(&self) -> bool {
        matches!(self.definition.trigger.kind, TriggerKind::Added | TriggerKind::Removed)
    }

    /// True if alternation between two contents is treated as noise. If the user selected a part or a value,
    /// every change to it is reported.
    fn can_flip(&self) -> bool {
        matches!(self.definition.target, Target::Page { selector: None })
            && self.definition.trigger.kind == TriggerKind::Any
    }
}

/// Evaluates a new trigger on stored snapshots without reporting a change. Returns the state of the trigger,
/// and the new baseline if it changes.
pub(super) fn retrigger(
    definition: &Definition,
    reported: &Snapshot,
    observed: TimedSnapshot<'_>,
    language: Option<&str>,
) -> (Option<Truths>, Option<Snapshot>) {
    if !Truths::has(&definition.trigger) {
        return (None, Some(observed.snapshot.clone()));
    }
    let before = TimedSnapshot { snapshot: reported, at: observed.at };
    let mut truths = Truths::of(&definition.trigger, trigger_input(definition, before, language));
    let reference = match truths.observe(reported, trigger_input(definition, observed, language)) {
        Verdict::Reference(reference) => Some(reference),
        Verdict::Fired | Verdict::NotFired => None,
    };
    (Some(truths), reference)
}

/// Input for evaluating a trigger on a snapshot.
pub(super) fn trigger_input<'a>(
    definition: &'a Definition,
    seen: TimedSnapshot<'a>,
    language: Option<&'a str>,
) -> EvaluationInput<'a> {
    EvaluationInput {
        target: &definition.target,
        ignore: &definition.ignore,
        seen: seen.snapshot,
        at: seen.at,
        language,
    }
}

/// Fingerprint of the normalised snapshot, in hex.
fn fingerprint(snapshot: &Snapshot, rules: &Rules) -> String {
    HEXLOWER.encode(&watch::fingerprint(snapshot, rules))
}

/// Comparison rules of a definition.
pub(super) fn rules_of(definition: &Definition, memory: &Memory) -> Rules {
    let kind = definition.trigger.kind;
    let words = definition.trigger.words().map(str::to_owned);
    let is_visual = matches!(definition.target, Target::Visual { .. });
    let visible_share = if kind == TriggerKind::Share { 1 } else { watch::VISIBLE_SHARE };
    // A trigger with a share has its own limit of bits.
    let picture_bits = if kind == TriggerKind::Share { 1 } else { watch::PICTURE_BITS };
    let rules = Rules {
        ignore: definition.ignore.clone(),
        masks: memory.masks.clone(),
        ordered: definition.ordered,
        defaults: if memory.watches_all() || is_visual { DefaultMasks::Skip } else { DefaultMasks::Apply },
        // A user who waits for a text is notified regardless of where on the page the text appears. A
        // selector may also select controls.
        has_margin: kind == TriggerKind::Condition
            || words.is_some() && kind != TriggerKind::Share
            || matches!(definition.target, Target::Page { selector: Some(_) }),
        words: None,
        picture_bits: matches!(definition.target, Target::Image).then_some(picture_bits),
        visible_share: is_visual.then_some(visible_share),
    };
    match kind {
        // A user who waits for a text is notified regardless of where on the page the text appears.
        TriggerKind::Added | TriggerKind::Removed if words.is_some() => unmasked(Rules { words, ..rules }),
        TriggerKind::TextAppears | TriggerKind::TextDisappears | TriggerKind::Condition => {
            Rules { words, ..rules }
        }
        TriggerKind::Any
        | TriggerKind::Share
        | TriggerKind::Added
        | TriggerKind::Removed
        | TriggerKind::Above
        | TriggerKind::Below => rules,
    }
}

/// Returns the rules without masks: only content that the owner ignores is excluded.
fn unmasked(rules: Rules) -> Rules {
    Rules { masks: Masks::default(), defaults: DefaultMasks::Skip, ..rules }
}

/// True if a snapshot differs from the baseline by more than known noise.
pub(super) fn differs(definition: &Definition, before: &PreviousState, seen: &Snapshot) -> bool {
    let rules = rules_of(definition, &before.memory);
    let Some(baseline) = &before.baseline else { return false };
    watch::fingerprint(&baseline.snapshot, &rules) != watch::fingerprint(seen, &rules)
}

/// Compares two snapshots within the time limit.
fn compare(before: &Snapshot, after: &Snapshot, rules: &Rules) -> Comparison {
    watch::compare(before, after, rules, Instant::now() + COMPARE_TIMEOUT)
}

impl PackedSnapshot {
    pub(super) fn of(seen: &Snapshot) -> Result<Self, SnapshotError> {
        Ok(Self { hash: HEXLOWER.encode(&seen.content_hash()), encoded: seen.encode()? })
    }
}

impl Evaluation {
    /// Evaluation that is deferred to the next check. `before` contains the state to retain.
    pub(super) fn pending(before: PreviousState, row: &monitor::Model, decision: Decision) -> Option<Self> {
        let observed = row.observed_hash.clone().or_else(|| row.baseline_hash.clone())?;
        let baseline = row.baseline_hash.clone()?;
        Some(Self {
            decision,
            ..Self::unchanged(&baseline, &observed, before.recent_contents, before.memory)
        })
    }

    /// Evaluation without a change to report. The baseline is retained.
    fn unchanged(
        baseline_hash: &str,
        observed_hash: &str,
        recent_contents: RecentContents,
        memory: Memory,
    ) -> Self {
        Self {
            outcome: Outcome::Unchanged,
            decision: Decision::NoDifference,
            added: 0,
            removed: 0,
            modified: 0,
            contents: Vec::new(),
            baseline_hash: baseline_hash.to_owned(),
            observed_hash: observed_hash.to_owned(),
            recent_contents,
            memory,
            change: None,
        }
    }

    /// Reports the comparison as a change and makes the observed snapshot the baseline.
    fn report(&mut self, since: &EvaluationContext<'_>, comparison: Comparison) {
        self.outcome = Outcome::Changed;
        self.decision = Decision::Reported;
        self.added = comparison.added;
        self.removed = comparison.removed;
        self.modified = comparison.modified;
        let before_hash = std::mem::replace(&mut self.baseline_hash, self.observed_hash.clone());
        let (title, summary) = render::describe(&comparison, &since.definition.trigger);
        self.change = Some(NewChange {
            kind: kind_of(since.kind, &comparison.operations),
            title: clean(&title),
            summary: clean(&summary),
            facts: ChangeFacts { omitted: comparison.omitted, ..ChangeFacts::default() },
            operations: comparison.operations,
            before_hash,
            after_hash: self.observed_hash.clone(),
            previous_check_at: since.previous_check_at,
        });
    }
}

#[cfg(test)]
mod tests;
