//! Learns masks from the first three fetches: a text that differs in each of them is noise, unless users
//! would want to be notified of it.
//!
//! A position is masked if its text differs in each of the three fetches. The mask covers
//! - the words that differ, if the other words are constant ("served in … ms by …"); or
//! - the whole position, if no word is constant (a rotating advertisement, a box of related stories),
//!   provided that all such positions contain at most a quarter of the words of the page in total. If more of
//!   the page is new at each fetch, the new content is the purpose of the page.
//!
//! A text with an amount of money is never masked. A heading or a text that is only a number is masked as a
//! whole only if it is a number that rises at each fetch, so that a stock level is still watched even if it
//! changes at three consecutive fetches.
//! Users can read the masks ([`Masks::describe`]). If the text of a mask is the same for ten checks, the mask
//! is dropped ([`Masks::update`]). Extracts are never masked, because the user selected each value.

use std::collections::{HashMap, HashSet};

use super::{
    masks::{LearnedMask, MAX_HOLE_TOKENS, Masks, words},
    normalize::{CompiledRules, Rules},
    numbers::{self, Number, NumberFormat},
    operation::Kind,
    pair::ratio,
    snapshot::{Snapshot, SnapshotBlock, UrlEntry},
    value_store,
};
use crate::currencies;

/// Maximum share of the words of a page in positions that are masked as a whole.
const MAX_SHARE: f64 = 0.25;
/// Maximum number of texts at a position for which patterns are learned. If there are more, the texts are a
/// list of items, which may resemble each other.
const MAX_PATTERN_TEXTS: usize = 3;
/// Minimum ratio of changed to unchanged texts at a position that is masked as a whole.
const CHANGED_PER_UNCHANGED: usize = 4;
/// Minimum share of the URLs in a sitemap whose date must differ at each fetch for the dates to be ignored.
const MIN_REDATED_SHARE: f64 = 0.9;
/// Maximum number of characters in an example.
const EXAMPLE_CHARS: usize = 80;
/// Maximum number of masks learned for a page.
const MAX_LEARNED: usize = 50;

/// Learns masks from the first three fetches, the oldest first. Returns no masks for fewer fetches, and
/// ignores further fetches.
///
/// Until the third fetch, a monitor has only the built-in masks. Therefore do not report a change between the
/// first and the second fetch immediately. After the third fetch, compare the first with the third fetch with
/// the learned masks, and report the result.
pub fn learn(snapshots: &[&Snapshot]) -> Masks {
    match snapshots {
        [Snapshot::Blocks(one), Snapshot::Blocks(two), Snapshot::Blocks(three), ..] => {
            Masks { learned: learn_positions(&[one, two, three]), lastmod: false }
        }
        [Snapshot::Urls(one), Snapshot::Urls(two), Snapshot::Urls(three), ..] => {
            Masks { learned: Vec::new(), lastmod: redated(one, two) && redated(two, three) }
        }
        _ => Masks::default(),
    }
}

/// True if nearly every URL has a new date.
fn redated(before: &[UrlEntry], after: &[UrlEntry]) -> bool {
    let dates: HashMap<&str, &Option<String>> =
        before.iter().map(|entry| (entry.url.as_str(), &entry.lastmod)).collect();
    let common: Vec<bool> =
        after.iter().filter_map(|entry| Some(**dates.get(entry.url.as_str())? != entry.lastmod)).collect();
    common.len() > 4
        && ratio(common.iter().filter(|differs| **differs).count(), common.len()) >= MIN_REDATED_SHARE
}

/// Texts at a position that are not in all three fetches.
#[derive(Default)]
struct VolatileTexts<'b> {
    blocks: [Vec<&'b SnapshotBlock>; 3],
    /// Number of texts at this position that are in all three fetches.
    unchanged: usize,
}

fn learn_positions(pages: &[&[SnapshotBlock]; 3]) -> Vec<LearnedMask> {
    let rules = Rules { ordered: true, ..Rules::default() };
    let compiled = CompiledRules::new(&rules);
    let entries = pages.map(|page| compiled.blocks(page, None).unwrap_or_default());
    let sets: Vec<HashSet<(u32, u64)>> = (0..3)
        .map(|at| entries[at].iter().map(|entry| (pages[at][entry.at].position, entry.text_key)).collect())
        .collect();
    let mut by_position: HashMap<u32, VolatileTexts<'_>> = HashMap::new();
    let mut order = Vec::new();
    for at in 0..3 {
        for entry in &entries[at] {
            let block = &pages[at][entry.at];
            let volatile = by_position.entry(block.position).or_insert_with(|| {
                order.push(block.position);
                VolatileTexts::default()
            });
            let count = sets.iter().filter(|set| set.contains(&(block.position, entry.text_key))).count();
            if count == 3 {
                volatile.unchanged += 1;
            } else {
                volatile.blocks[at].push(block);
            }
        }
    }
    let mut learned = Vec::new();
    let mut wholes = Vec::new();
    for position in order {
        let Some(volatile) = by_position.get(&position) else { continue };
        let patterns = patterns(volatile);
        if !patterns.is_empty() {
            learned.extend(patterns);
        } else if is_whole(volatile) {
            wholes.push((position, volatile));
        }
    }
    learned.extend(small_enough(&wholes, pages));
    learned.truncate(MAX_LEARNED);
    learned
}

/// Masks for whole positions. Empty if these positions contain too many words of the page.
fn small_enough(wholes: &[(u32, &VolatileTexts<'_>)], pages: &[&[SnapshotBlock]; 3]) -> Vec<LearnedMask> {
    let count = |text: &str| text.split(' ').count();
    let masked = |at: usize| {
        wholes
            .iter()
            .flat_map(|(_, volatile)| &volatile.blocks[at])
            .map(|block| count(&block.text))
            .sum::<usize>()
    };
    let total = |at: usize| pages[at].iter().map(|block| count(&block.text)).sum::<usize>();
    if (0..3).any(|at| ratio(masked(at), total(at)) > MAX_SHARE) {
        return Vec::new();
    }
    let learned = wholes.iter().filter_map(|(position, volatile)| {
        let example = value_store::cut(&volatile.blocks[2].first()?.text, EXAMPLE_CHARS);
        Some(LearnedMask { position: *position, words: None, example, unchanged_checks: 0 })
    });
    learned.collect()
}

/// True if nearly all texts at the position change, and none of them contains data that is worth watching.
fn is_whole(volatile: &VolatileTexts<'_>) -> bool {
    let restless_count = volatile.blocks.iter().map(Vec::len).sum::<usize>();
    // If a page displays a random choice of texts, one of them may occur in all fetches.
    if volatile.unchanged * CHANGED_PER_UNCHANGED > restless_count
        || volatile.blocks.iter().any(Vec::is_empty)
    {
        return false;
    }
    let texts = |at: usize| volatile.blocks[at].iter().map(|block| block.text.as_str()).collect::<Vec<_>>();
    let differ = |one: usize, other: usize| texts(one) != texts(other);
    if !(differ(0, 1) && differ(1, 2) && differ(0, 2)) {
        return false;
    }
    let mut all = volatile.blocks.iter().flatten();
    !all.any(|block| {
        block.kind == Kind::Heading || currencies::is_money(&block.text) || is_bare_number(&block.text)
    }) || rises(volatile)
}

fn is_bare_number(text: &str) -> bool {
    !text.chars().any(char::is_alphabetic) && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// True if the only text is a counter: a number that rises at each fetch.
fn rises(volatile: &VolatileTexts<'_>) -> bool {
    let numbers: Vec<Number> = volatile
        .blocks
        .iter()
        .filter_map(|blocks| match blocks.as_slice() {
            [only] if is_bare_number(&only.text) && !currencies::is_money(&only.text) => {
                numbers::only(&only.text, NumberFormat::default())
            }
            _ => None,
        })
        .collect();
    numbers.len() == 3 && numbers[0] < numbers[1] && numbers[1] < numbers[2]
}

/// Patterns of texts with some constant words, if the fetches have the same number of texts at the position.
fn patterns(volatile: &VolatileTexts<'_>) -> Vec<LearnedMask> {
    let [one, two, three] = &volatile.blocks;
    if one.is_empty() || one.len() > MAX_PATTERN_TEXTS || one.len() != two.len() || two.len() != three.len() {
        return Vec::new();
    }
    let mut learned: Vec<LearnedMask> = Vec::new();
    for ((one, two), three) in one.iter().zip(two).zip(three) {
        let texts = [one.text.as_str(), two.text.as_str(), three.text.as_str()];
        let Some(words) = pattern(texts) else { return Vec::new() };
        let example = value_store::cut(texts[2], EXAMPLE_CHARS);
        if !learned.iter().any(|known| known.words.as_ref() == Some(&words)) {
            learned.push(LearnedMask {
                position: three.position,
                words: Some(words),
                example,
                unchanged_checks: 0,
            });
        }
    }
    learned
}

/// Common words of three texts, with holes for the other words. `None` if the texts have too few common
/// words, or if the words in the holes are worth watching.
fn pattern(texts: [&str; 3]) -> Option<Vec<Option<String>>> {
    let [one, two, three] = texts.map(words);
    if one == two || two == three || one == three {
        return None;
    }
    let mut pattern: Vec<Option<String>> = Vec::new();
    let mut push = |word: Option<&str>| {
        if word.is_some() || pattern.last() != Some(&None) {
            pattern.push(word.map(str::to_owned));
        }
    };
    if one.len() == two.len() && two.len() == three.len() {
        for at in 0..one.len() {
            let is_constant = one[at] == two[at] && two[at] == three[at];
            push(is_constant.then_some(one[at]));
        }
    } else {
        let shortest = one.len().min(two.len()).min(three.len());
        let head = (0..shortest).take_while(|&at| one[at] == two[at] && two[at] == three[at]).count();
        let back = |words: &[&'_ str], at: usize| words.len() - 1 - at;
        let tail = (0..shortest - head)
            .take_while(|&at| {
                one[back(&one, at)] == two[back(&two, at)] && two[back(&two, at)] == three[back(&three, at)]
            })
            .count();
        one[..head].iter().for_each(|word| push(Some(word)));
        push(None);
        one[one.len() - tail..].iter().for_each(|word| push(Some(word)));
    }
    let fixed = pattern.iter().flatten().filter(|word| word.chars().any(char::is_alphabetic)).count();
    let holes = pattern.iter().filter(|word| word.is_none()).count();
    let volatile = one.len().saturating_sub(pattern.iter().flatten().count());
    let worth = texts.iter().any(|text| currencies::is_money(text));
    // If more words differ than are constant, the texts are unrelated. If only a few words
    // differ, these words are noise.
    (holes > 0 && fixed >= volatile.max(1) && volatile <= MAX_HOLE_TOKENS && !worth).then_some(pattern)
}
