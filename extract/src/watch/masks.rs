//! Learned noise of a source, stored with a monitor.

use serde::{Deserialize, Serialize};

use super::snapshot::{Snapshot, SnapshotBlock};
use crate::{
    lexer::{Token, split},
    text_hash::Mask,
};

/// Number of consecutive checks without a change after which a mask is dropped.
const MAX_UNCHANGED_CHECKS: u16 = 10;

/// Learned masks of a source, in addition to the built-in masks. Empty before the third fetch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Masks {
    /// Masks for positions whose text differed in each of the first three fetches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<LearnedMask>,
    /// True if the dates of the sitemap are ignored, because nearly all of them change at each fetch.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lastmod: bool,
}

/// Mask for a position of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearnedMask {
    /// Hash of the position, as in [`SnapshotBlock`].
    #[serde(rename = "place")]
    pub position: u32,
    /// Words of the text, with `None` for each part that changes. If the field is `None`, the whole position
    /// is masked.
    pub words: Option<Vec<Option<String>>>,
    /// Text at the position when the mask was learned, for display.
    pub example: String,
    /// Number of consecutive checks without a change.
    #[serde(rename = "quiet", default)]
    pub unchanged_checks: u16,
}

impl Masks {
    /// True if no mask was learned.
    pub fn is_empty(&self) -> bool {
        self.learned.is_empty() && !self.lastmod
    }

    /// One sentence per mask, for the owner of the monitor.
    pub fn describe(&self) -> Vec<String> {
        let dates = self
            .lastmod
            .then(|| "The dates in the sitemap change at every fetch and are ignored.".to_owned());
        let sentences = self.learned.iter().map(|learned| match &learned.words {
            None => format!(
                "“{}” and the text that replaces it are ignored, because they differed in each of the first fetches.",
                learned.example
            ),
            Some(words) => {
                let pattern =
                    words.iter().map(|word| word.as_deref().unwrap_or("…")).collect::<Vec<_>>().join(" ");
                format!("The changing part of “{pattern}” is ignored, because it differed in each of the first fetches.")
            }
        });
        sentences.chain(dates).collect()
    }

    /// True if both sets of masks hide the same texts, regardless of the number of unchanged checks. In that
    /// case, fingerprints under either of them are comparable.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        let positions = |masks: &Self| -> Vec<(u32, Option<Vec<Option<String>>>)> {
            masks.learned.iter().map(|learned| (learned.position, learned.words.clone())).collect()
        };
        self.lastmod == other.lastmod && positions(self) == positions(other)
    }

    /// Updates the masks after a check that fetched new content: drops masks whose text was the same for ten
    /// checks. Returns true if the masks must be stored. [`Self::is_equivalent`] determines whether
    /// fingerprints under the old masks are still comparable.
    pub fn update(&mut self, before: &Snapshot, after: &Snapshot) -> bool {
        let (Snapshot::Blocks(before), Snapshot::Blocks(after)) = (before, after) else { return false };
        let old = self.learned.clone();
        for learned in &mut self.learned {
            let is_same = learned.matching_texts(before).eq(learned.matching_texts(after));
            learned.unchanged_checks = if is_same { learned.unchanged_checks + 1 } else { 0 };
        }
        self.learned.retain(|learned| learned.unchanged_checks < MAX_UNCHANGED_CHECKS);
        self.learned != old
    }
}

impl LearnedMask {
    /// Texts at the position that match the mask.
    fn matching_texts<'b>(&'b self, blocks: &'b [SnapshotBlock]) -> impl Iterator<Item = &'b str> {
        let fitting = blocks.iter().filter(|block| block.position == self.position);
        fitting
            .filter(|block| self.words.is_none() || self.holes(&block.text).is_some())
            .map(|block| block.text.as_str())
    }

    /// Ranges of a text that the holes of the pattern cover. `None` if the text does not match the pattern.
    pub(super) fn holes(&self, text: &str) -> Option<Vec<Mask>> {
        let words = self.words.as_ref()?;
        let tokens = split(text);
        let mut holes = Vec::new();
        let mut at = 0;
        for (index, word) in words.iter().enumerate() {
            if let Some(word) = word {
                if text.get(tokens.get(at)?.range.clone())? != word {
                    return None;
                }
                at += 1;
                continue;
            }
            let end = hole_end(text, &tokens, at, &words[index + 1..])?;
            holes.push(tokens[at].range.start..tokens[end - 1].range.end);
            at = end;
        }
        (at == tokens.len()).then_some(holes)
    }
}

/// End of the hole that begins at the token `from`: the start of the first words after the hole, or the end
/// of the text.
fn hole_end(text: &str, tokens: &[Token], from: usize, rest: &[Option<String>]) -> Option<usize> {
    let fixed = rest.iter().take_while(|word| word.is_some()).count();
    let word = |at: usize| tokens.get(at).map(|token| &text[token.range.clone()]);
    let fits = |end: &usize| (0..fixed).all(|offset| word(end + offset) == rest[offset].as_deref());
    let most = (from + MAX_HOLE_TOKENS).min(tokens.len());
    if rest.is_empty() {
        Some(tokens.len()).filter(|&end| end > from && end <= most)
    } else {
        (from + 1..=most).find(fits)
    }
}

/// Maximum number of words in a hole.
pub(super) const MAX_HOLE_TOKENS: usize = 12;

/// Splits a text into the words that patterns use.
pub(super) fn words(text: &str) -> Vec<&str> {
    split(text).into_iter().map(|token| &text[token.range]).collect()
}
