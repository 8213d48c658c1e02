//! Weighing a content: whether it says anything that was not seen before and is worth telling. What is
//! compared here is our own plain data; nothing is read or written.

use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use extract::watch::{self, Comparison, Masks, Operation, Rules, Snapshot, SnapshotError, render};
use serde::{Deserialize, Serialize};

use super::outcome::Outcome;
use super::{Definition, TargetType, publish};

/// Contents that a content is compared with before it is news: what comes back is none.
const RECENT: usize = 5;
/// After this long two contents are told to differ as a whole.
const COMPARED: Duration = Duration::from_secs(1);

/// What became of a content that was looked at.
pub(super) struct Weighed {
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
    pub(super) memory: Memory,
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
pub(super) struct Memory {
    /// Whether the source was looked at for noise.
    #[serde(default)]
    has_learned: bool,
    /// What never triggers.
    #[serde(default)]
    masks: Masks,
}

impl Memory {
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
pub(super) struct Before {
    pub(super) baseline: Option<Baseline>,
    pub(super) recent: Vec<String>,
    pub(super) memory: Memory,
}

/// The content that the next one is compared with.
#[derive(Clone)]
pub(super) struct Baseline {
    pub(super) hash: String,
    pub(super) snapshot: Snapshot,
}

/// Weighs a content against what was seen before. A content that is no change leaves the baseline where it
/// is, so that small steps add up to a change that is told.
pub(super) fn weigh(
    definition: &Definition,
    kind: TargetType,
    before: Before,
    seen: &Snapshot,
) -> Result<Weighed, SnapshotError> {
    let Before { baseline, mut recent, mut memory } = before;
    let hash = HEXLOWER.encode(&seen.content_hash());
    let content = || Content::of(&hash, seen);
    let mark = |snapshot: &Snapshot, rules: &Rules| HEXLOWER.encode(&watch::fingerprint(snapshot, rules));
    let Some(Baseline { hash: baseline_hash, snapshot: baseline }) = baseline else {
        let recent = vec![mark(seen, &rules_of(definition, &memory))];
        let first = Weighed::unchanged(hash.clone(), recent, memory);
        return Ok(Weighed { outcome: Outcome::Baseline, kept: Some(content()?), ..first });
    };
    // Marks that were made under other rules compare with nothing.
    if memory.masks.settle(&baseline, seen) || recent.is_empty() {
        recent = vec![mark(&baseline, &rules_of(definition, &memory))];
    }
    let rules = rules_of(definition, &memory);
    let mut weighed = Weighed::unchanged(baseline_hash, recent, memory);
    let now = mark(seen, &rules);
    if now == mark(&baseline, &rules) {
        // Where noise was learned, the next look is compared with this one, to see what has come to rest.
        if !rules.masks.is_empty() && hash != weighed.baseline_hash {
            weighed.move_to(content()?);
        }
        return Ok(weighed);
    }
    if let Some(place) = weighed.recent.iter().position(|known| *known == now) {
        let back = weighed.recent.remove(place);
        weighed.recent.push(back);
        weighed.move_to(content()?);
        return Ok(weighed);
    }
    let comparison = compare(&baseline, seen, &rules);
    if !definition.trigger.holds(&comparison, &baseline, seen) {
        return Ok(weighed);
    }
    weighed.outcome = Outcome::Changed;
    weighed.added = comparison.added;
    weighed.removed = comparison.removed;
    weighed.modified = comparison.modified;
    weighed.kept = Some(content()?);
    let before_hash = std::mem::replace(&mut weighed.baseline_hash, hash.clone());
    weighed.change = Some(NewChange {
        kind: publish::kind_of(kind, &comparison.operations),
        title: publish::clean(&render::title(&comparison)),
        summary: publish::clean(&render::summary(&comparison)),
        operations: comparison.operations,
        before_hash,
        after_hash: hash,
    });
    weighed.recent.push(now);
    let beyond = weighed.recent.len().saturating_sub(RECENT);
    weighed.recent.drain(..beyond);
    Ok(weighed)
}

/// How contents are compared.
pub(super) fn rules_of(definition: &Definition, memory: &Memory) -> Rules {
    Rules { ignore: definition.ignore.clone(), masks: memory.masks.clone(), ordered: definition.ordered }
}

/// Whether a content differs from the baseline at all, noise included.
pub(super) fn differs(definition: &Definition, before: &Before, seen: &Snapshot) -> bool {
    let rules = rules_of(definition, &before.memory);
    let Some(baseline) = &before.baseline else { return false };
    watch::fingerprint(&baseline.snapshot, &rules) != watch::fingerprint(seen, &rules)
}

/// Compares two contents, within the time that a change may take.
pub(super) fn compare(before: &Snapshot, after: &Snapshot, rules: &Rules) -> Comparison {
    watch::compare(before, after, rules, Instant::now() + COMPARED)
}

impl Content {
    fn of(hash: &str, seen: &Snapshot) -> Result<Self, SnapshotError> {
        Ok(Self { hash: hash.to_owned(), packed: seen.encode()? })
    }
}

impl Weighed {
    /// Nothing worth telling: the next look is compared with the same content.
    fn unchanged(baseline_hash: String, recent: Vec<String>, memory: Memory) -> Self {
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

    /// Has the next look compared with this content, without a word.
    fn move_to(&mut self, content: Content) {
        self.dropped = Some(std::mem::replace(&mut self.baseline_hash, content.hash.clone()));
        self.kept = Some(content);
    }
}

#[cfg(test)]
mod tests;
