//! Determines when a trigger with a condition fires. The condition has a result for each watched subject: for
//! the page, for each item, or in triggers with a single value, for each field of each item. The trigger
//! fires when a result changes from false to true. The change is then rendered against a reference snapshot.
//! The reference is the last content for which the result was false or from which a fall or rise is measured,
//! or the last reported content if the result was false for it.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::{
    evaluator::{EvaluationInput, Evaluator, SourceTexts, TestState, TestSubject, are_nameless},
    normalize::{CompiledRules, Rules},
    snapshot::{FieldValue, Snapshot},
    trigger::{Trigger, TriggerKind},
};

/// Maximum number of subjects whose results are stored.
const MAX_SUBJECTS: usize = 5_000;
/// Time for which the result of a missing subject is retained, in milliseconds.
const RETENTION_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// Milliseconds of an hour.
const HOUR: i64 = 60 * 60 * 1_000;
/// Key of the subject for a whole page or sitemap, and for a condition that only counts items.
const WHOLE: &str = "";

/// State of a trigger between checks: the result of its condition for each subject. Stored as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truths {
    /// Trigger whose condition was evaluated.
    trigger: Trigger,
    things: BTreeMap<String, ThingState>,
    /// Number of items for which the trigger holds, if items are distinguished only by their values.
    #[serde(default)]
    count: usize,
    /// Number of such items in the last reported content.
    #[serde(rename = "count_when_told", default)]
    count_when_reported: usize,
    /// Time of the last evaluation, in milliseconds since the epoch.
    #[serde(rename = "judged_at", default, skip_serializing_if = "Option::is_none")]
    evaluated_at: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of one thing")]
struct ThingState {
    /// Result of the last check that could evaluate the subject.
    holds: bool,
    /// Result for the last reported content.
    #[serde(rename = "held_when_told")]
    was_true_when_reported: bool,
    /// Time of the last check in which the subject was present, in milliseconds since the epoch.
    seen_at: i64,
    /// True if the last check could evaluate the subject.
    #[serde(rename = "is_judged", default)]
    is_evaluated: bool,
    /// Time of the last report in milliseconds since the epoch. `None` unless reports are repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reported_at: Option<i64>,
    /// True if this check replaced the reference value of rises and falls.
    #[serde(skip)]
    has_moved: bool,
    /// State of the first test. Most conditions have no other test.
    #[serde(flatten)]
    first: TestState,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    others: Vec<TestState>,
}

/// Subject to evaluate.
#[derive(Clone, Copy)]
struct Watched<'s> {
    now: TestSubject<'s>,
    /// The subject in the last reported content.
    before: Option<TestSubject<'s>>,
    at: i64,
}

/// Result of evaluating a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The trigger fired: report the snapshot, and render the next change against it.
    Fired,
    /// The trigger did not fire. Render the next change against this snapshot.
    Reference(Snapshot),
    /// The trigger did not fire.
    NotFired,
}

impl Truths {
    /// True if the trigger has a condition, and fires when the condition becomes true.
    pub fn has(trigger: &Trigger) -> bool {
        match trigger.kind {
            TriggerKind::TextAppears
            | TriggerKind::TextDisappears
            | TriggerKind::Above
            | TriggerKind::Below
            | TriggerKind::Condition => true,
            TriggerKind::Any | TriggerKind::Share | TriggerKind::Added | TriggerKind::Removed => false,
        }
    }

    /// True if the condition may be reported again although the content did not change.
    pub fn may_repeat(&self) -> bool {
        self.trigger.repeat_hours.is_some() && self.holds() == Some(true)
    }

    /// True if the condition was true for at least one subject at the last check. `None` before the first
    /// evaluation.
    pub fn holds(&self) -> Option<bool> {
        let last = self.evaluated_at.or_else(|| self.things.values().map(|state| state.seen_at).max())?;
        let mut present = self.things.values().filter(|state| state.seen_at == last);
        Some(self.count > 0 || present.any(|state| state.holds))
    }

    /// Evaluates a snapshot that is treated as reported, and returns the new state.
    pub fn of(trigger: &Trigger, input: EvaluationInput<'_>) -> Self {
        let mut truths = Self { trigger: trigger.clone(), ..Self::default() };
        truths.evaluate(input.seen, input);
        truths.mark_reported();
        truths
    }

    /// True if the state belongs to `trigger`.
    pub fn are_of(&self, trigger: &Trigger) -> bool {
        self.trigger == *trigger
    }

    /// Evaluates a snapshot. `reference` is the snapshot against which the last reported change, or the next
    /// change, is rendered.
    pub fn observe(&mut self, reference: &Snapshot, input: EvaluationInput<'_>) -> Verdict {
        if self.evaluate(reference, input) {
            self.mark_reported();
            return Verdict::Fired;
        }
        self.next_reference(reference, input.seen).map_or(Verdict::NotFired, Verdict::Reference)
    }

    fn mark_reported(&mut self) {
        self.count_when_reported = self.count;
        for state in self.things.values_mut() {
            state.was_true_when_reported = state.holds;
        }
    }

    /// Updates the results. Returns true if a result changed from false to true, or is due to be reported
    /// again.
    fn evaluate(&mut self, reported: &Snapshot, input: EvaluationInput<'_>) -> bool {
        let rules = Rules { ignore: input.ignore.to_vec(), ..Rules::default() };
        let evaluator = Evaluator::new(&self.trigger, CompiledRules::new(&rules), input);
        if let Some(last) = self.evaluated_at {
            // Subjects of the last check are retained, regardless of the time since then.
            self.things.retain(|_, state| state.seen_at >= last || input.at - state.seen_at < RETENTION_MS);
        }
        for state in self.things.values_mut() {
            state.has_moved = false;
        }
        let mut is_counted = false;
        let fired = match input.seen {
            Snapshot::Items(items) if !evaluator.counts_only() => {
                is_counted = are_nameless(items, input.target);
                if is_counted {
                    let count = items.iter().filter(|item| evaluator.holds_of_any(item)).count();
                    std::mem::replace(&mut self.count, count) < count
                } else {
                    self.evaluate_items(&evaluator, reported, input)
                }
            }
            seen => {
                let now = SourceTexts::of(seen);
                let before = evaluator.compares_texts().then(|| SourceTexts::of(reported));
                let before = before.as_ref().map(TestSubject::Texts);
                let watched = Watched { now: TestSubject::Texts(&now), before, at: input.at };
                self.update(WHOLE.to_owned(), &evaluator, watched)
            }
        };
        self.evict(input.at);
        if is_counted || !self.things.is_empty() {
            self.evaluated_at = Some(input.at);
        }
        fired
    }

    fn evaluate_items(
        &mut self,
        evaluator: &Evaluator<'_>,
        reported: &Snapshot,
        input: EvaluationInput<'_>,
    ) -> bool {
        let Snapshot::Items(items) = input.seen else { return false };
        let known: HashMap<&str, &[FieldValue]> = match reported {
            Snapshot::Items(items) if evaluator.compares_texts() => {
                items.iter().map(|item| (item.key.as_str(), item.fields.as_slice())).collect()
            }
            Snapshot::Items(_) | Snapshot::Blocks(_) | Snapshot::Urls(_) => HashMap::new(),
        };
        let is_of_items = self.trigger.kind == TriggerKind::Condition;
        let mut fired = false;
        for item in items {
            let before = known.get(item.key.as_str()).copied().map(TestSubject::Fields);
            if is_of_items {
                let watched = Watched { now: TestSubject::Fields(&item.fields), before, at: input.at };
                fired |= self.update(thing(&item.key, WHOLE), evaluator, watched);
                continue;
            }
            for field in evaluator.fields(item) {
                let now = TestSubject::Fields(std::slice::from_ref(field));
                let watched = Watched { now, before, at: input.at };
                fired |= self.update(thing(&item.key, &field.name), evaluator, watched);
            }
        }
        fired
    }

    /// Updates the result of a subject. Returns true if it must be reported. If the subject cannot be
    /// evaluated, for example because its currency differs from the previous one, the result is not changed.
    /// If a new currency persists, it is accepted without a report.
    fn update(&mut self, thing: String, evaluator: &Evaluator<'_>, watched: Watched<'_>) -> bool {
        // If a subject was not present before, no text has disappeared from it.
        let initially_holds = self.trigger.kind == TriggerKind::TextDisappears;
        let repeat = self.trigger.repeat_hours.map(|hours| i64::from(hours) * HOUR);
        let known = self.things.remove(&thing);
        let is_known = known.is_some();
        let mut state = known.unwrap_or_else(|| ThingState {
            holds: initially_holds,
            // If the reported content had no number, the condition was not false for it.
            was_true_when_reported: initially_holds || self.trigger.is_numeric(),
            seen_at: watched.at,
            is_evaluated: false,
            reported_at: None,
            has_moved: false,
            first: TestState::default(),
            others: Vec::new(),
        });
        let mut states = state.test_states();
        let mut results = evaluator.results(watched.now, watched.before, &states);
        let now = evaluator.holds(&results);
        let is_due = || state.reported_at.zip(repeat).is_some_and(|(last, pause)| watched.at - last >= pause);
        let fired = now == Some(true) && (!state.holds || is_due());
        let effect = evaluator.record(&mut results, &mut states, fired);
        state.has_moved = effect.has_moved;
        state.seen_at = watched.at;
        state.is_evaluated = now.is_some() || effect.has_new_currency;
        if state.is_evaluated {
            state.holds = evaluator.holds(&results).unwrap_or(state.holds);
        }
        if fired && repeat.is_some() {
            state.reported_at = Some(watched.at);
        }
        if is_known || state.is_evaluated || states.iter().any(TestState::has_number) {
            state.set_test_states(states);
            self.things.insert(thing, state);
        }
        fired
    }

    /// Drops the results of subjects that have been missing for too long, and the oldest results above the
    /// limit.
    fn evict(&mut self, now: i64) {
        self.things.retain(|_, state| now - state.seen_at < RETENTION_MS);
        let beyond = self.things.len().saturating_sub(MAX_SUBJECTS);
        if beyond > 0 {
            let age = |(thing, state): (&String, &ThingState)| (state.seen_at, thing.clone());
            let mut oldest: Vec<(i64, String)> = self.things.iter().map(age).collect();
            oldest.sort_unstable();
            for (_, thing) in oldest.iter().take(beyond) {
                self.things.remove(thing);
            }
        }
    }

    /// Snapshot against which the next change is rendered, if it differs from `reference`. It contains the
    /// current content of each subject for which the condition was true in the reported content and is false
    /// now.
    fn next_reference(&self, reference: &Snapshot, seen: &Snapshot) -> Option<Snapshot> {
        let is_reference = |state: &ThingState| {
            state.has_moved || state.was_true_when_reported && !state.holds && state.is_evaluated
        };
        let is_new = |thing: &str| self.things.get(thing).is_some_and(is_reference);
        if self.count < self.count_when_reported || is_new(WHOLE) {
            return (reference != seen).then(|| seen.clone());
        }
        let (Snapshot::Items(old), Snapshot::Items(new)) = (reference, seen) else { return None };
        let mut items = old.clone();
        let by_key: HashMap<&str, &[FieldValue]> =
            new.iter().map(|item| (item.key.as_str(), item.fields.as_slice())).collect();
        for item in &mut items {
            let Some(now) = by_key.get(item.key.as_str()) else { continue };
            let is_new_item = is_new(&thing(&item.key, WHOLE));
            for field in &mut item.fields {
                let value = now.iter().find(|other| other.name == field.name);
                let is_taken = is_new_item || is_new(&thing(&item.key, &field.name));
                if let Some(value) = value.filter(|_| is_taken) {
                    field.value.clone_from(&value.value);
                }
            }
        }
        (items != *old).then_some(Snapshot::Items(items))
    }
}

impl ThingState {
    fn test_states(&self) -> Vec<TestState> {
        std::iter::once(&self.first).chain(&self.others).cloned().collect()
    }

    fn set_test_states(&mut self, states: Vec<TestState>) {
        let mut states = states.into_iter();
        self.first = states.next().unwrap_or_default();
        self.others = states.collect();
    }
}

fn thing(item: &str, field: &str) -> String {
    format!("{item}\u{1f}{field}")
}
