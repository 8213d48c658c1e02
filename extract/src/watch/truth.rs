//! Decides when a trigger with a value fires. The trigger has a truth for each watched thing: the page, or
//! each field of each item. It fires when a truth changes from false to true. The change is then rendered
//! against the last content for which the truth was false, or against the last reported content if it was
//! false there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    judge::{Judge, JudgeInput, Judgement, KnownNumber, are_nameless, numeric_blocks},
    normalize::{CompiledRules, Rules},
    numbers::{DecimalSign, Number},
    snapshot::Snapshot,
    target::NumberChoice,
    trigger::{Trigger, TriggerKind},
};

/// Maximum number of items and fields whose truth value is stored.
const MAX_THINGS: usize = 5_000;
/// Time for which the truth of a missing thing is retained, in milliseconds.
const RETENTION_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// Time after which another currency than before is that of the thing, in milliseconds.
const CURRENCY_MS: i64 = 14 * 24 * 60 * 60 * 1_000;
/// Key of the single thing of a page or sitemap.
const WHOLE: &str = "";

/// Truths of a trigger for each thing. Stored as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truths {
    /// Trigger that the truths belong to.
    trigger: Trigger,
    things: BTreeMap<String, Truth>,
    /// Number of items for which the trigger holds, if items are distinguished only by their values.
    #[serde(default)]
    count: usize,
    /// The same number for the last reported content.
    #[serde(default)]
    count_when_told: usize,
    /// Time of the last evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    judged_at: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Truth {
    /// Result of the last possible evaluation.
    holds: bool,
    /// Result for the last reported content.
    held_when_told: bool,
    /// Time at which the thing was last present.
    seen_at: i64,
    /// True if the last check could evaluate it.
    #[serde(default)]
    is_judged: bool,
    /// Currency of the last evaluated number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    currency: Option<String>,
    /// Time since which its numbers have another currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other_currency_since: Option<i64>,
    /// Decimal separator of its numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sign: Option<DecimalSign>,
    /// Last evaluated number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<String>,
}

/// Result of evaluating a content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The trigger fired: report the content, and render the next change against it.
    Fired,
    /// The trigger did not fire. Render the next change against this content.
    Reference(Snapshot),
    /// The trigger did not fire.
    NotFired,
}

impl Truths {
    /// True if the trigger has a truth: it has a value and fires when its condition begins to hold.
    pub fn has(trigger: &Trigger) -> bool {
        match trigger.kind {
            TriggerKind::TextAppears
            | TriggerKind::TextDisappears
            | TriggerKind::Above
            | TriggerKind::Below => true,
            TriggerKind::Any | TriggerKind::Share | TriggerKind::Added | TriggerKind::Removed => false,
        }
    }

    /// True if anything present at the last check met the condition. `None` before the first evaluation.
    pub fn holds(&self) -> Option<bool> {
        let last = self.judged_at.or_else(|| self.things.values().map(|truth| truth.seen_at).max())?;
        let mut there = self.things.values().filter(|truth| truth.seen_at == last);
        Some(self.count > 0 || there.any(|truth| truth.holds))
    }

    /// Truths of a content that counts as reported.
    pub fn of(trigger: &Trigger, input: JudgeInput<'_>) -> Self {
        let mut truths = Self { trigger: trigger.clone(), ..Self::default() };
        truths.judge(input);
        truths.mark_reported();
        truths
    }

    /// True if these are the truths of `trigger`.
    pub fn are_of(&self, trigger: &Trigger) -> bool {
        self.trigger == *trigger
    }

    /// Evaluates a content. `reference` is the content that the last reported change, or the one before it,
    /// is rendered against.
    pub fn observe(&mut self, reference: &Snapshot, input: JudgeInput<'_>) -> Verdict {
        if self.judge(input) {
            self.mark_reported();
            return Verdict::Fired;
        }
        self.next_reference(reference, input.seen).map_or(Verdict::NotFired, Verdict::Reference)
    }

    fn mark_reported(&mut self) {
        self.count_when_told = self.count;
        for truth in self.things.values_mut() {
            truth.held_when_told = truth.holds;
        }
    }

    /// Updates the truths. True if any of them changed from false to true.
    fn judge(&mut self, input: JudgeInput<'_>) -> bool {
        let rules = Rules { ignore: input.ignore.to_vec(), ..Rules::default() };
        let trigger = self.trigger.clone();
        let judge = Judge::new(&trigger, CompiledRules::new(&rules), input);
        if let Some(last) = self.judged_at {
            // Retain what was present at the last check, however long ago that was.
            self.things.retain(|_, truth| truth.seen_at >= last || input.at - truth.seen_at < RETENTION_MS);
        }
        let mut fired = false;
        let is_counted = matches!(input.seen, Snapshot::Items(items) if are_nameless(items, input.target));
        match input.seen {
            Snapshot::Items(items) if is_counted => {
                let count = items.iter().filter(|item| judge.holds_of_any(item)).count();
                fired = count > self.count;
                self.count = count;
            }
            Snapshot::Items(items) => {
                for item in items {
                    for field in judge.fields(item) {
                        let thing = thing(&item.key, &field.name);
                        let judged = judge.field(field, self.known(&thing));
                        fired |= self.update(thing, judged, input.at);
                    }
                }
            }
            Snapshot::Blocks(blocks) => {
                let texts: Vec<&str> = if self.trigger.is_numeric() {
                    numeric_blocks(blocks).map(|block| block.text.as_str()).collect()
                } else {
                    blocks.iter().map(|block| block.text.as_str()).collect()
                };
                let judged = judge.texts(&texts, NumberChoice::First, self.known(WHOLE));
                fired = self.update(WHOLE.to_owned(), judged, input.at);
            }
            Snapshot::Urls(urls) => {
                let texts: Vec<&str> = urls.iter().map(|entry| entry.url.as_str()).collect();
                let judged = judge.texts(&texts, NumberChoice::First, KnownNumber::default());
                fired = self.update(WHOLE.to_owned(), judged, input.at);
            }
        }
        self.evict(input.at);
        if is_counted || !self.things.is_empty() {
            self.judged_at = Some(input.at);
        }
        fired
    }

    fn known(&self, thing: &str) -> KnownNumber {
        self.things.get(thing).map_or_else(KnownNumber::default, |truth| KnownNumber {
            sign: truth.sign,
            number: truth.number.as_deref().and_then(Number::plain),
        })
    }

    /// Updates the truth of one thing. True if it changed from false to true. Stays unchanged if the thing
    /// could not be evaluated, or if its currency differs from the one before. A currency that stays becomes
    /// that of the thing, without a report.
    fn update(&mut self, thing: String, judged: Option<Judgement>, at: i64) -> bool {
        // In a thing that was not present before, nothing has disappeared.
        let initially_holds = self.trigger.kind == TriggerKind::TextDisappears;
        // If the reported content had no number, the condition was not false.
        let initially_reported = initially_holds || self.trigger.is_numeric();
        let known = self.things.get_mut(&thing);
        let Some(judged) = judged else {
            if let Some(truth) = known {
                truth.seen_at = at;
                truth.is_judged = false;
            }
            return false;
        };
        let first = Truth {
            holds: initially_holds,
            held_when_told: initially_reported,
            seen_at: at,
            is_judged: false,
            currency: None,
            other_currency_since: None,
            sign: None,
            number: None,
        };
        let truth = self.things.entry(thing).or_insert(first);
        truth.seen_at = at;
        truth.is_judged = false;
        let currency = judged.amount.and_then(|amount| amount.currency);
        let is_other = truth.currency.as_deref().zip(currency).is_some_and(|(before, now)| before != now);
        if is_other && at - *truth.other_currency_since.get_or_insert(at) < CURRENCY_MS {
            return false;
        }
        truth.other_currency_since = None;
        truth.is_judged = true;
        // Amounts in different currencies are not compared.
        let fired = judged.holds && !truth.holds && !is_other;
        truth.holds = judged.holds;
        if let Some(amount) = judged.amount {
            truth.currency = currency.map(str::to_owned).or_else(|| truth.currency.take());
            truth.sign = amount.decimal_sign.or(truth.sign);
            truth.number = Some(amount.number.to_string());
        }
        fired
    }

    /// Drops truths of things that have been missing for long, and the oldest ones above the limit.
    fn evict(&mut self, now: i64) {
        self.things.retain(|_, truth| now - truth.seen_at < RETENTION_MS);
        let beyond = self.things.len().saturating_sub(MAX_THINGS);
        if beyond > 0 {
            let age = |(thing, truth): (&String, &Truth)| (truth.seen_at, thing.clone());
            let mut oldest: Vec<(i64, String)> = self.things.iter().map(age).collect();
            oldest.sort_unstable();
            for (_, thing) in oldest.iter().take(beyond) {
                self.things.remove(thing);
            }
        }
    }

    /// Content to render the next change against, if it differs from `reference`: this content, where the
    /// condition was true for the reported content and is false now.
    fn next_reference(&self, reference: &Snapshot, seen: &Snapshot) -> Option<Snapshot> {
        let is_false = |truth: &Truth| truth.held_when_told && !truth.holds && truth.is_judged;
        let turned_false = |thing: &str| self.things.get(thing).is_some_and(is_false);
        if self.count < self.count_when_told {
            return (reference != seen).then(|| seen.clone());
        }
        let (Snapshot::Items(old), Snapshot::Items(new)) = (reference, seen) else {
            return (turned_false(WHOLE) && reference != seen).then(|| seen.clone());
        };
        let mut items = old.clone();
        for item in &mut items {
            let Some(now) = new.iter().find(|now| now.key == item.key) else { continue };
            for field in &mut item.fields {
                let value = now.fields.iter().find(|other| other.name == field.name);
                if let Some(value) = value.filter(|_| turned_false(&thing(&item.key, &field.name))) {
                    field.value.clone_from(&value.value);
                }
            }
        }
        (items != *old).then_some(Snapshot::Items(items))
    }
}

fn thing(item: &str, field: &str) -> String {
    format!("{item}\u{1f}{field}")
}
