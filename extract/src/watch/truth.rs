//! When a trigger with a value fires. It has a truth in each thing that is watched: the page, or each field of each
//! item. It fires when that truth turns from false to true, and what it then shows is the last content on which it
//! was false, or the last one that was told when it was false there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    normalize::{Lens, Rules},
    numbers::{self, Number},
    snapshot::{Item, Snapshot},
    target::{Ignore, Target},
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Truth {
    /// Whether it was true when it could last be judged.
    holds: bool,
    /// Whether it was true of the content that was last told.
    held_when_told: bool,
    /// When the thing was last there.
    seen_at: i64,
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

/// A content that is to be judged.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// What is watched.
    pub target: &'a Target,
    /// What the owner leaves out of everything.
    pub ignore: &'a [Ignore],
    /// The content.
    pub seen: &'a Snapshot,
    /// When it was seen, in milliseconds.
    pub at: i64,
}

impl Truths {
    /// Whether a trigger has a truth on this target: it has a value, and it is clear which number is meant.
    pub fn has(trigger: &Trigger, target: &Target) -> bool {
        match (trigger.kind, target) {
            (TriggerKind::TextAppears | TriggerKind::TextDisappears, _)
            | (
                TriggerKind::Above | TriggerKind::Below,
                Target::Extract { .. } | Target::Page { selector: Some(_) },
            ) => true,
            (
                TriggerKind::Above | TriggerKind::Below,
                Target::Page { selector: None } | Target::Sitemap { .. },
            )
            | (TriggerKind::Any | TriggerKind::Share, _) => false,
        }
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
        for truth in self.things.values_mut() {
            truth.held_when_told = truth.holds;
        }
    }

    /// Takes note of what holds now; whether it turned true anywhere.
    fn judge(&mut self, look: Look<'_>) -> bool {
        let rules = Rules { ignore: look.ignore.to_vec(), ..Rules::default() };
        let judge = Judge { trigger: self.trigger.clone(), lens: Lens::new(&rules) };
        let mut fired = false;
        match look.seen {
            Snapshot::Items(items) if is_nameless(items, look.target) => {
                let count = items.iter().filter(|item| judge.holds_of_any(item)).count();
                fired = count > self.count;
                self.count = count;
            }
            Snapshot::Items(items) => {
                for item in items {
                    for (field, holds) in judge.fields(item) {
                        fired |= self.note(thing(&item.key, field), holds, look.at);
                    }
                }
            }
            Snapshot::Blocks(blocks) => {
                let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
                fired = self.note(WHOLE.to_owned(), judge.whole(&texts), look.at);
            }
            Snapshot::Urls(urls) => {
                let texts: Vec<&str> = urls.iter().map(|entry| entry.url.as_str()).collect();
                fired = self.note(WHOLE.to_owned(), judge.whole(&texts), look.at);
            }
        }
        self.forget(look.at);
        fired
    }

    /// Takes note of one thing; whether the trigger turned true of it. What cannot be judged stays as it was.
    fn note(&mut self, thing: String, holds: Option<bool>, at: i64) -> bool {
        // A thing that was not there before: nothing has disappeared from it.
        let is_new = !self.things.contains_key(&thing);
        let Some(holds) = holds else {
            if let Some(truth) = self.things.get_mut(&thing) {
                truth.seen_at = at;
            }
            return false;
        };
        let held_before = is_new && self.trigger.kind == TriggerKind::TextDisappears;
        let first = Truth { holds: held_before, held_when_told: held_before, seen_at: at };
        let truth = self.things.entry(thing).or_insert(first);
        let fired = holds && !truth.holds;
        *truth = Truth { holds, seen_at: at, ..*truth };
        fired
    }

    /// Forgets what has been gone for long, and the longest gone of too many.
    fn forget(&mut self, now: i64) {
        self.things.retain(|_, truth| now - truth.seen_at < GONE_MS);
        if self.things.len() > MAX_THINGS {
            let mut times: Vec<i64> = self.things.values().map(|truth| truth.seen_at).collect();
            times.sort_unstable();
            let oldest = times[self.things.len() - MAX_THINGS];
            self.things.retain(|_, truth| truth.seen_at >= oldest);
            while self.things.len() > MAX_THINGS {
                self.things.pop_first();
            }
        }
    }

    /// The content that the next one is shown against, when it is another: where the trigger held of what was told
    /// and does not now, this content.
    fn moved(&self, reference: &Snapshot, seen: &Snapshot) -> Option<Snapshot> {
        let is_shown =
            |thing: &str| self.things.get(thing).is_some_and(|truth| truth.held_when_told && !truth.holds);
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

/// Says what a trigger makes of texts.
struct Judge<'a> {
    trigger: Trigger,
    lens: Lens<'a>,
}

impl Judge<'_> {
    /// Each field that the trigger is about, and whether it holds there.
    fn fields<'i>(&self, item: &'i Item) -> Vec<(&'i str, Option<bool>)> {
        let wanted = self.trigger.field.as_deref();
        let fields = item.fields.iter().filter(|field| wanted.is_none_or(|wanted| wanted == field.name));
        fields.map(|field| (field.name.as_str(), self.whole(field.value.as_deref().as_slice()))).collect()
    }

    fn holds_of_any(&self, item: &Item) -> bool {
        self.fields(item).into_iter().any(|(_, holds)| holds == Some(true))
    }

    /// Whether the trigger holds of what these texts say together; none when there is no number in them.
    fn whole(&self, texts: &[&str]) -> Option<bool> {
        let mut texts = texts.iter().map(|text| self.lens.left_of(text));
        let value = self.trigger.value.as_deref().unwrap_or_default().trim();
        let wanted = super::blocks::tidy(value).to_lowercase();
        let mut says = || texts.any(|text| text.to_lowercase().contains(&wanted));
        match self.trigger.kind {
            TriggerKind::TextAppears => Some(says()),
            TriggerKind::TextDisappears => Some(!says()),
            TriggerKind::Above | TriggerKind::Below => {
                let limit = Number::plain(value)?;
                let number = texts.find_map(|text| numbers::all(&text).into_iter().next())?;
                Some(if self.trigger.kind == TriggerKind::Above { number > limit } else { number < limit })
            }
            TriggerKind::Any | TriggerKind::Share => None,
        }
    }
}

/// Whether nothing tells items apart but what they say: no field is their key, and they link nowhere.
fn is_nameless(items: &[Item], target: &Target) -> bool {
    let Target::Extract { items: Some(_), fields } = target else { return false };
    !fields.iter().any(|field| field.key) && items.iter().all(|item| item.link.is_none())
}

fn thing(item: &str, field: &str) -> String {
    format!("{item}\u{1f}{field}")
}
