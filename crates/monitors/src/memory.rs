//! What a monitor remembers between its looks, beside the contents themselves: where its trigger holds, what of its
//! source is noise, and how the page has gone back and forth.

use std::collections::BTreeSet;

use extract::watch::{Block, Masks, Op, Operation, Snapshot, Truths};
use serde::{Deserialize, Serialize};

use kernel::clock::{HOUR, Millis};

/// A page that goes back and forth this often within the time below flips.
const FLIPS: usize = 4;
/// The time within which that is flipping, and the time after which a content has settled.
const FLIPPING: Millis = 24 * HOUR;
/// Changes in a row at one place after which the source is looked at for noise again.
const RESTLESS: u8 = 3;

/// What is remembered from look to look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Memory {
    /// Whether the source was looked at for noise.
    #[serde(default)]
    has_learned: bool,
    /// Whether its owner wants nothing to be taken for noise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    learns_nothing: bool,
    /// What never triggers.
    #[serde(default)]
    pub(super) masks: Masks,
    /// Where a trigger with a value holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) truths: Option<Truths>,
    /// The place that the last changes were at, and how many in a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restless: Option<(u32, u8)>,
    /// Whether the page is flipping, and its returns are not told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_flipping: bool,
    /// Looks in a row that found no item.
    #[serde(default)]
    pub(super) empty_looks: u8,
    /// When the content that was judged last was downloaded.
    #[serde(default)]
    pub(super) looked_at: Option<Millis>,
    /// The language of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<String>,
}

/// A content as it is compared, and when it appeared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Appearance {
    mark: String,
    at: Millis,
}

/// The last contents, each other than the one before it; newest last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Trail(Vec<Appearance>);

/// What a content is in the going back and forth of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flip {
    /// Nothing to do with it: it is told if it differs from what was told.
    None,
    /// One more return, or one that has not stood for long.
    Returned,
}

impl Memory {
    /// A stored memory; an empty one for a monitor that has not looked yet.
    pub(super) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// What is known of the source's noise and language, and nothing of what was told.
    pub(super) fn of_masks(other: &Self) -> Self {
        Self { masks: other.masks.clone(), language: other.language.clone(), ..Self::default() }
    }

    /// Whether the source is to be looked at for noise when it differs.
    pub(super) fn wants_to_learn(&self) -> bool {
        !self.has_learned && !self.learns_nothing
    }

    /// Takes what was learned from looks that were made one right after the other, unless its owner wants nothing of it
    /// by now; whether that is anything new.
    pub(super) fn learn(&mut self, masks: Masks) -> bool {
        if self.learns_nothing {
            return false;
        }
        self.has_learned = true;
        self.restless = None;
        let is_new = !self.masks.hide_the_same_as(&masks);
        self.masks = masks;
        is_new
    }

    /// Forgets what was learned, and learns nothing any more: its owner wants to hear of all of it.
    pub(super) fn drop_masks(&mut self) {
        self.learns_nothing = true;
        self.masks = Masks::default();
    }

    /// Whether a look that finds the same body again is to be judged too: what is waited for there is time.
    pub(super) fn waits_for_time(&self) -> bool {
        self.is_flipping || !self.masks.is_empty()
    }

    pub(super) fn is_flipping(&self) -> bool {
        self.is_flipping
    }

    /// Takes note of the place of a change that is told. After three in a row at one place the source is looked at
    /// for noise again.
    pub(super) fn note_places(&mut self, operations: &[Operation], seen: &Snapshot) {
        let Snapshot::Blocks(blocks) = seen else { return };
        let block_of = |operation: &Operation| -> Option<&Block> {
            blocks.get(usize::try_from(operation.anchor.checked_sub(1)?).ok()?)
        };
        let here = operations.iter().filter(|operation| operation.op != Op::Removed);
        let places: BTreeSet<u32> = here.filter_map(block_of).map(|block| block.place).collect();
        let only = places.first().filter(|_| places.len() == 1).copied();
        self.restless = match (only, self.restless) {
            (Some(place), Some((known, count))) if place == known => Some((place, count + 1)),
            (Some(place), _) => Some((place, 1)),
            (None, _) => None,
        };
        if self.restless.is_some_and(|(_, count)| count >= RESTLESS) {
            self.restless = None;
            self.has_learned = false;
        }
    }

    /// Takes note of a content that comes after `trail`, and says what it is in the going back and forth of the page.
    /// `told` is the content that was told last.
    pub(super) fn note_flip(&mut self, trail: &mut Trail, now: &str, told: &str, at: Millis) -> Flip {
        let was_known = trail.0.iter().rev().take(2).any(|appearance| appearance.mark == now);
        let is_another = trail.push(now, at);
        if self.is_flipping {
            // A third content ends it, and so does one that has stood for a day.
            self.is_flipping = was_known && !trail.has_settled(at);
            if !self.is_flipping {
                *trail = Trail::of(now, at);
            }
            return if self.is_flipping || now == told { Flip::Returned } else { Flip::None };
        }
        self.is_flipping = is_another && trail.flips();
        if self.is_flipping { Flip::Returned } else { Flip::None }
    }
}

impl Trail {
    /// A stored trail; an empty one before the first look.
    pub(super) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// The trail of a first content.
    pub(super) fn of(mark: &str, at: Millis) -> Self {
        Self(vec![Appearance { mark: mark.to_owned(), at }])
    }

    /// Takes note of a content; whether it is another than the last.
    fn push(&mut self, mark: &str, at: Millis) -> bool {
        if self.0.last().is_some_and(|last| last.mark == mark) {
            return false;
        }
        self.0.push(Appearance { mark: mark.to_owned(), at });
        let beyond = self.0.len().saturating_sub(FLIPS);
        self.0.drain(..beyond);
        true
    }

    /// Whether the last four were two by turns, within a day.
    fn flips(&self) -> bool {
        let [one, other, again, back] = self.0.as_slice() else { return false };
        one.mark == again.mark && other.mark == back.mark && back.at - one.at <= FLIPPING
    }

    /// Whether the newest has stood for a day.
    fn has_settled(&self, now: Millis) -> bool {
        self.0.last().is_some_and(|last| now - last.at >= FLIPPING)
    }
}

#[cfg(test)]
mod tests {
    use extract::watch::Kind;

    use super::*;
    use kernel::clock::MINUTE;

    #[test]
    fn three_changes_in_a_row_at_one_place_have_the_source_looked_at_for_noise_again() {
        let places = [1, 2, 3];
        let blocks = places.map(|place| Block { place, ..Block::default() });
        let seen = Snapshot::Blocks(blocks.into());
        let changed = |anchor: u32| Operation::new(Op::Changed, Kind::default(), anchor);
        let after = |anchors: &[&[u32]]| {
            let mut memory = Memory { has_learned: true, ..Memory::default() };
            for anchors in anchors {
                let operations: Vec<Operation> = anchors.iter().map(|anchor| changed(*anchor)).collect();
                memory.note_places(&operations, &seen);
            }
            memory.has_learned
        };
        assert!(!after(&[&[2], &[2], &[2]]));
        assert!(after(&[&[2], &[2]]), "two are not enough");
        assert!(after(&[&[2], &[3], &[2]]), "elsewhere begins anew");
        assert!(after(&[&[2], &[2], &[2, 3]]), "so do two places at once");
        let gone = Operation::new(Op::Removed, Kind::default(), 2);
        let mut memory = Memory { has_learned: true, ..Memory::default() };
        for _ in 0..3 {
            memory.note_places(std::slice::from_ref(&gone), &seen);
        }
        assert!(memory.has_learned, "what is gone has no place");
    }

    #[test]
    fn another_definition_knows_the_noise_and_nothing_of_what_was_told() {
        let other = Memory {
            has_learned: true,
            masks: Masks { lastmod: true, ..Masks::default() },
            language: Some("de".into()),
            empty_looks: 3,
            looked_at: Some(5),
            ..Memory::default()
        };
        let taken = Memory { masks: other.masks.clone(), language: Some("de".into()), ..Memory::default() };
        assert_eq!(Memory::of_masks(&other), taken);
        assert_ne!(taken.masks, Masks::default());
    }

    #[test]
    fn a_source_is_looked_at_for_noise_once_and_only_when_it_is_wanted() {
        let of = |has_learned, learns_nothing| {
            Memory { has_learned, learns_nothing, ..Memory::default() }.wants_to_learn()
        };
        assert!(of(false, false) && !of(true, false) && !of(false, true) && !of(true, true));
    }

    #[test]
    fn the_same_body_again_is_judged_where_a_page_flips_or_noise_was_learned() {
        let waits = |is_flipping, lastmod| {
            let masks = Masks { lastmod, ..Masks::default() };
            Memory { masks, is_flipping, ..Memory::default() }.waits_for_time()
        };
        assert!(waits(true, false) && waits(false, true) && !waits(false, false));
    }

    #[test]
    fn two_contents_by_turns_flip_within_a_day() {
        let flips = |times: [Millis; 4], marks: [&str; 4]| {
            let mut trail = Trail::default();
            for (mark, at) in marks.iter().zip(times) {
                trail.push(mark, at);
            }
            Trail::read(&serde_json::to_string(&trail).unwrap()).flips()
        };
        let begin = 40 * FLIPPING;
        let quick = [begin, begin + MINUTE, begin + HOUR, begin + FLIPPING];
        assert!(flips(quick, ["a", "b", "a", "b"]));
        assert!(!flips([begin - 1, quick[1], quick[2], quick[3]], ["a", "b", "a", "b"]), "over a day");
        assert!(!flips(quick, ["a", "b", "a", "c"]) && !flips(quick, ["a", "b", "c", "b"]));
    }
}
