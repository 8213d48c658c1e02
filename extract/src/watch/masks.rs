//! What is learned of a source's noise, as it is stored beside a monitor.

use serde::{Deserialize, Serialize};

use super::{
    hash::Mask,
    snapshot::{Block, Snapshot},
    tokens::{self, Token, split},
};

/// A place that stays the same for this many checks in a row is no longer masked.
const QUIET_CHECKS: u16 = 10;

/// What never triggers on one source, beside the built-in masks. Empty before three fetches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Masks {
    /// Places that differed in each of the first three fetches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<Learned>,
    /// The sitemap dates nearly every address anew at each fetch: its dates say nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lastmod: bool,
}

/// One restless place of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// The place, as blocks have it.
    pub place: u32,
    /// The words that stay, with `None` for each stretch that does not; `None` alone: the place as a whole.
    pub words: Option<Vec<Option<String>>>,
    /// What stood there when it was learned, for showing it to a person.
    pub example: String,
    /// Checks in a row in which it stayed the same.
    #[serde(default)]
    pub quiet: u16,
}

impl Masks {
    /// Whether nothing is masked but what always is.
    pub fn is_empty(&self) -> bool {
        self.learned.is_empty() && !self.lastmod
    }

    /// One sentence for each, for the person whose monitor it is.
    pub fn describe(&self) -> Vec<String> {
        let dates = self
            .lastmod
            .then(|| "The dates in the sitemap differ at each fetch and are not watched.".to_owned());
        let places = self.learned.iter().map(|learned| match &learned.words {
            None => format!(
                "“{}” and what takes its place differed in each of the first fetches and is not watched.",
                learned.example
            ),
            Some(words) => {
                let shown =
                    words.iter().map(|word| word.as_deref().unwrap_or("…")).collect::<Vec<_>>().join(" ");
                format!("What changes in “{shown}” differed in each of the first fetches and is not watched.")
            }
        });
        places.chain(dates).collect()
    }

    /// Whether they hide what these do, however long that has been quiet: fingerprints made with the ones compare with
    /// those made with the others.
    pub fn hide_the_same_as(&self, other: &Self) -> bool {
        let places = |masks: &Self| -> Vec<(u32, Option<Vec<Option<String>>>)> {
            masks.learned.iter().map(|learned| (learned.place, learned.words.clone())).collect()
        };
        self.lastmod == other.lastmod && places(self) == places(other)
    }

    /// Looks whether what is masked still changes, after each check that fetched something. What has stayed the same
    /// for ten checks is watched again. True when the masks are to be stored;
    /// [`Self::hide_the_same_as`] says whether fingerprints made with the old ones still compare.
    pub fn settle(&mut self, before: &Snapshot, after: &Snapshot) -> bool {
        let (Snapshot::Blocks(before), Snapshot::Blocks(after)) = (before, after) else { return false };
        let old = self.learned.clone();
        for learned in &mut self.learned {
            let same = learned.held(before).eq(learned.held(after));
            learned.quiet = if same { learned.quiet + 1 } else { 0 };
        }
        self.learned.retain(|learned| learned.quiet < QUIET_CHECKS);
        self.learned != old
    }
}

impl Learned {
    /// The texts at its place that it fits.
    fn held<'b>(&'b self, blocks: &'b [Block]) -> impl Iterator<Item = &'b str> {
        let fitting = blocks.iter().filter(|block| block.place == self.place);
        fitting
            .filter(|block| self.words.is_none() || self.holes(&block.text).is_some())
            .map(|block| block.text.as_str())
    }

    /// The stretches of a text that stand where the pattern has holes; nothing when the text does not fit.
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

/// Where a hole that begins at a token ends: at the end of the text, or where the words after it begin.
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

/// Words that one hole may take.
pub(super) const MAX_HOLE_TOKENS: usize = 12;

/// The words of a text as a pattern has them.
pub(super) fn words(text: &str) -> Vec<&str> {
    tokens::split(text).into_iter().map(|token| &text[token.range]).collect()
}
