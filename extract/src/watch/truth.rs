//! When a trigger with a value fires. It has a truth in each thing that is watched: the page, or each field of each
//! item. It fires when that truth turns from false to true, and what it then shows is the last content on which it
//! was false, or the last one that was told when it was false there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    judge::{Judge, Judgement, Look, are_nameless},
    normalize::{Lens, Rules},
    numbers::DecimalSign,
    snapshot::Snapshot,
    target::NumberChoice,
    trigger::{Trigger, TriggerKind},
};

/// Things whose truth is remembered at most.
const MAX_THINGS: usize = 5_000;
/// What is gone keeps its truth this long, in milliseconds.
const GONE_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// The thing that a page is, or a sitemap.
const WHOLE: &str = "";

/// What is known of a trigger's truth in each thing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truths {
    /// The trigger that they are about.
    trigger: Trigger,
    things: BTreeMap<String, Truth>,
    /// Of items that nothing tells apart: for how many it is true.
    #[serde(default)]
    count: usize,
    /// For how many it was true of the content that was last told.
    #[serde(default)]
    count_when_told: usize,
    /// When anything was last judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    judged_at: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Truth {
    /// Whether it was true when it could last be judged.
    holds: bool,
    /// Whether it was true of the content that was last told.
    held_when_told: bool,
    /// When the thing was last there.
    seen_at: i64,
    /// Whether it could be judged at the last look.
    #[serde(default)]
    is_judged: bool,
    /// The currency of the number that was last judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    currency: Option<String>,
    /// How its numbers are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sign: Option<DecimalSign>,
}

/// What a content means for a trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It fired: the content is told, and the next one is shown against it.
    Fired,
    /// It did not, and the next content is shown against this one.
    Reference(Snapshot),
    /// It did not.
    Quiet,
}

impl Truths {
    /// Whether a trigger has a truth: it has a value, and fires when that begins to hold.
    pub fn has(trigger: &Trigger) -> bool {
        match trigger.kind {
            TriggerKind::TextAppears
            | TriggerKind::TextDisappears
            | TriggerKind::Above
            | TriggerKind::Below => true,
            TriggerKind::Any | TriggerKind::Share | TriggerKind::Added | TriggerKind::Removed => false,
        }
    }

    /// Whether it holds of anything that was there at the last look; none before it could be judged.
    pub fn holds(&self) -> Option<bool> {
        let last = self.judged_at.or_else(|| self.things.values().map(|truth| truth.seen_at).max())?;
        let mut there = self.things.values().filter(|truth| truth.seen_at == last);
        Some(self.count > 0 || there.any(|truth| truth.holds))
    }

    /// The truths of a content that counts as told.
    pub fn of(trigger: &Trigger, look: Look<'_>) -> Self {
        let mut truths = Self { trigger: trigger.clone(), ..Self::default() };
        truths.judge(look);
        truths.take_as_told();
        truths
    }

    /// Whether these are the truths of this trigger.
    pub fn are_of(&self, trigger: &Trigger) -> bool {
        self.trigger == *trigger
    }

    /// Judges a content that comes after `reference`, which the last change that was told, or its forerunner, is
    /// shown against.
    pub fn observe(&mut self, reference: &Snapshot, look: Look<'_>) -> Verdict {
        if self.judge(look) {
            self.take_as_told();
            return Verdict::Fired;
        }
        self.moved(reference, look.seen).map_or(Verdict::Quiet, Verdict::Reference)
    }

    fn take_as_told(&mut self) {
        self.count_when_told = self.count;
        for truth in self.things.values_mut() {
            truth.held_when_told = truth.holds;
        }
    }

    /// Takes note of what holds now; whether it turned true anywhere.
    fn judge(&mut self, look: Look<'_>) -> bool {
        let rules = Rules { ignore: look.ignore.to_vec(), ..Rules::default() };
        let trigger = self.trigger.clone();
        let judge = Judge::new(&trigger, Lens::new(&rules), look);
        if let Some(last) = self.judged_at {
            // Not what was there at the last look, however long ago that was.
            self.things.retain(|_, truth| truth.seen_at >= last || look.at - truth.seen_at < GONE_MS);
        }
        let mut fired = false;
        let is_counted = matches!(look.seen, Snapshot::Items(items) if are_nameless(items, look.target));
        match look.seen {
            Snapshot::Items(items) if is_counted => {
                let count = items.iter().filter(|item| judge.holds_of_any(item)).count();
                fired = count > self.count;
                self.count = count;
            }
            Snapshot::Items(items) => {
                for item in items {
                    for field in judge.fields(item) {
                        let thing = thing(&item.key, &field.name);
                        let judged = judge.field(field, self.sign_of(&thing));
                        fired |= self.note(thing, judged, look.at);
                    }
                }
            }
            Snapshot::Blocks(blocks) => {
                let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
                let judged = judge.texts(&texts, NumberChoice::First, self.sign_of(WHOLE));
                fired = self.note(WHOLE.to_owned(), judged, look.at);
            }
            Snapshot::Urls(urls) => {
                let texts: Vec<&str> = urls.iter().map(|entry| entry.url.as_str()).collect();
                let judged = judge.texts(&texts, NumberChoice::First, None);
                fired = self.note(WHOLE.to_owned(), judged, look.at);
            }
        }
        self.forget(look.at);
        if is_counted || !self.things.is_empty() {
            self.judged_at = Some(look.at);
        }
        fired
    }

    fn sign_of(&self, thing: &str) -> Option<DecimalSign> {
        self.things.get(thing).and_then(|truth| truth.sign)
    }

    /// Takes note of one thing; whether the trigger turned true of it. What cannot be judged stays as it was, and so
    /// does what is told in another currency than before.
    fn note(&mut self, thing: String, judged: Option<Judgement>, at: i64) -> bool {
        // A thing that was not there before: nothing has disappeared from it.
        let held_before = self.trigger.kind == TriggerKind::TextDisappears;
        // Where no number stood when it was told, the trigger was not false.
        let held_when_told = held_before || self.trigger.is_numeric();
        let known = self.things.get_mut(&thing);
        let Some(judged) = judged else {
            if let Some(truth) = known {
                truth.seen_at = at;
                truth.is_judged = false;
            }
            return false;
        };
        let first = Truth {
            holds: held_before,
            held_when_told,
            seen_at: at,
            is_judged: false,
            currency: None,
            sign: None,
        };
        let truth = self.things.entry(thing).or_insert(first);
        truth.seen_at = at;
        truth.is_judged = false;
        let currency = judged.amount.and_then(|amount| amount.currency);
        if truth.currency.as_deref().zip(currency).is_some_and(|(before, now)| before != now) {
            return false;
        }
        truth.is_judged = true;
        let fired = judged.holds && !truth.holds;
        truth.holds = judged.holds;
        if let Some(amount) = judged.amount {
            truth.currency = currency.map(str::to_owned).or_else(|| truth.currency.take());
            truth.sign = amount.shows.or(truth.sign);
        }
        fired
    }

    /// Forgets what has been gone for long, and the longest gone of too many.
    fn forget(&mut self, now: i64) {
        self.things.retain(|_, truth| now - truth.seen_at < GONE_MS);
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

    /// The content that the next one is shown against, when it is another: where the trigger held of what was told
    /// and does not now, this content.
    fn moved(&self, reference: &Snapshot, seen: &Snapshot) -> Option<Snapshot> {
        let is_false = |truth: &Truth| truth.held_when_told && !truth.holds && truth.is_judged;
        let is_shown = |thing: &str| self.things.get(thing).is_some_and(is_false);
        if self.count < self.count_when_told {
            return (reference != seen).then(|| seen.clone());
        }
        let (Snapshot::Items(old), Snapshot::Items(new)) = (reference, seen) else {
            return (is_shown(WHOLE) && reference != seen).then(|| seen.clone());
        };
        let mut items = old.clone();
        for item in &mut items {
            let Some(now) = new.iter().find(|now| now.key == item.key) else { continue };
            for field in &mut item.fields {
                let value = now.fields.iter().find(|other| other.name == field.name);
                if let Some(value) = value.filter(|_| is_shown(&thing(&item.key, &field.name))) {
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
