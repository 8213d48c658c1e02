//! Reasons to doubt that an observation shows the watched page. The observation is compared with the
//! baseline. A text that is also in the baseline is treated as content, even if it resembles a wall.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::{
    observation::Observation,
    operation::Kind,
    snapshot::{ExtractedItem, Snapshot, SnapshotBlock},
    wall::{self, Suspicion, Wall},
};
use crate::text_hash::hash;

/// Pages with fewer words are not checked for the loss of nearly all content.
const MIN_WORDS: usize = 60;
/// Pages with fewer words or texts are not checked for a replacement by another layout.
const MIN_SHORT_WORDS: usize = 15;
const MIN_SHORT_TEXTS: usize = 3;
/// Lists with fewer items or URLs are not checked for the loss of nearly all entries.
const MIN_ENTRIES: usize = 10;
/// Percentage of remaining content below which nearly all content is lost.
const MIN_REMAINING_PERCENT: usize = 10;
/// If at least this percentage of the text remains, a page with the words of a wall is not treated as a wall.
const MAX_WALL_PERCENT: usize = 50;
/// Minimum factor by which content shrinks if nearly all of it is lost.
const MIN_SHRINKAGE: usize = 3;

/// Reason why an observation may not be the watched page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// A wall was returned instead of the page.
    Wall(Wall),
    /// Nearly all content is missing, or was replaced by a text that may be a wall.
    Lost,
    /// The end of the page is missing. It was cut within a text.
    Cut,
    /// The sitemap or calendar is empty.
    Empty,
}

impl Doubt {
    /// True if both are walls of any kind, or if they are equal.
    pub fn is_alike(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Wall(_), Self::Wall(_)))
    }
}

/// Compares an observation with the baseline. `None` if there is no doubt.
pub fn doubt(before: &Snapshot, seen: &Observation) -> Option<Doubt> {
    match (before, &seen.snapshot) {
        (Snapshot::Blocks(before), Snapshot::Blocks(after)) => of_page(before, after, seen.suspicion),
        (Snapshot::Urls(before), Snapshot::Urls(after)) => {
            if after.is_empty() && !before.is_empty() && seen.sitemaps.is_empty() {
                return Some(Doubt::Empty);
            }
            let urls = |entries: &[super::snapshot::UrlEntry]| -> Vec<u64> {
                entries.iter().map(|entry| hash(&entry.url)).collect()
            };
            of_list(&urls(before), &urls(after))
        }
        (Snapshot::Items(before), Snapshot::Items(after)) => {
            if let Some(suspicion) = seen.suspicion.filter(|suspicion| suspicion.is_certain)
                && lacks_values(before, after)
            {
                return Some(Doubt::Wall(suspicion.wall));
            }
            let keys =
                |items: &[ExtractedItem]| -> Vec<u64> { items.iter().map(|item| hash(&item.key)).collect() };
            if after.is_empty() {
                // If the selector of the items matched nothing, the caller reports it as absent.
                return (seen.absent.is_none() && !before.is_empty()).then_some(Doubt::Empty);
            }
            of_list(&keys(before), &keys(after))
        }
        _ => None,
    }
}

fn of_page(before: &[SnapshotBlock], after: &[SnapshotBlock], suspicion: Option<Suspicion>) -> Option<Doubt> {
    let main = |blocks: &'_ [SnapshotBlock]| -> Vec<usize> {
        (0..blocks.len()).filter(|&at| !blocks[at].is_marginal).collect()
    };
    let (old, new) = (main(before), main(after));
    let size = |at: &usize| before[*at].text.len();
    let texts: HashSet<u64> = new.iter().map(|at| hash(&after[*at].text)).collect();
    let total: usize = old.iter().map(size).sum();
    let remains = |at: &&usize| texts.contains(&hash(&before[**at].text));
    let remaining: usize = old.iter().filter(remains).map(size).sum();
    if let Some(Suspicion { wall, is_certain }) = suspicion {
        let is_gone = remaining * 100 < total * MAX_WALL_PERCENT || total == 0 && is_certain;
        if is_gone && !wall::is_of_page(before, after, wall) {
            // A rewritten page may contain a sentence that is typical of a wall.
            return Some(if is_certain { Doubt::Wall(wall) } else { Doubt::Lost });
        }
    }
    if total > 0 && remaining == 0 && is_another_document(before, &old, after, &new) {
        return Some(Doubt::Lost);
    }
    let (old_words, new_words) = (wall::count(before), wall::count(after));
    let is_lost = old_words >= MIN_WORDS
        && new_words * MIN_SHRINKAGE < old_words
        && new_words > 0
        && remaining * 100 < total * MIN_REMAINING_PERCENT;
    if is_lost || old_words >= MIN_SHORT_WORDS && is_another_layout(before, &old, after, &new) {
        return Some(Doubt::Lost);
    }
    let old: Vec<&str> = old.iter().map(|at| before[*at].text.as_str()).collect();
    let new: Vec<&str> = new.iter().map(|at| after[*at].text.as_str()).collect();
    is_cut(&old, &new).then_some(Doubt::Cut)
}

/// True if HTML replaced another format or vice versa, or if JSON with an error replaced a JSON document.
fn is_another_document(
    before: &[SnapshotBlock],
    old: &[usize],
    after: &[SnapshotBlock],
    new: &[usize],
) -> bool {
    // Only blocks from HTML have positions.
    let is_html = |blocks: &[SnapshotBlock], texts: &[usize]| {
        let count = texts.iter().filter(|at| blocks[**at].position != 0).count();
        (count == 0 || count == texts.len()).then_some(count > 0)
    };
    match (is_html(before, old), is_html(after, new)) {
        _ if new.is_empty() => false,
        (Some(false), Some(false)) => is_error(before, old, after, new),
        (Some(before), Some(after)) => before != after,
        _ => false,
    }
}

/// True if the new JSON has a member for an error, and lacks all previous members.
fn is_error(before: &[SnapshotBlock], old: &[usize], after: &[SnapshotBlock], new: &[usize]) -> bool {
    let known: HashSet<&str> = old.iter().map(|at| member(&before[*at].text)).collect();
    // A selected value has no member name, so it may be any text.
    let is_value = |at: &usize| before[*at].kind == Kind::Value && !before[*at].text.contains(": ");
    let is_new = |at: &usize| {
        matches!(after[*at].kind, Kind::Value | Kind::ListItem) && !known.contains(member(&after[*at].text))
    };
    !old.iter().any(is_value)
        && new.iter().all(is_new)
        && new.iter().any(|at| matches!(member(&after[*at].text), "error" | "errors"))
}

/// Name of the outermost member in a line of JSON.
fn member(line: &str) -> &str {
    line.split([':', '›']).next().unwrap_or_default().trim_end()
}

/// True if a short page was replaced by another page: no new block has a text or a position of the old page.
fn is_another_layout(
    before: &[SnapshotBlock],
    old: &[usize],
    after: &[SnapshotBlock],
    new: &[usize],
) -> bool {
    let positions: HashSet<u32> = old.iter().map(|at| before[*at].position).collect();
    let texts: HashSet<u64> = old.iter().map(|at| hash(&before[*at].text)).collect();
    // Blocks of other formats have no positions.
    let is_new = |at: &usize| {
        let block = &after[*at];
        block.position != 0 && !positions.contains(&block.position) && !texts.contains(&hash(&block.text))
    };
    old.len() >= MIN_SHORT_TEXTS && !new.is_empty() && new.len() <= old.len() && new.iter().all(is_new)
}

/// True if an old item, or a value of an old item, is missing.
fn lacks_values(before: &[ExtractedItem], after: &[ExtractedItem]) -> bool {
    let present: HashMap<&str, &ExtractedItem> = after.iter().map(|item| (item.key.as_str(), item)).collect();
    before.iter().any(|old| {
        let Some(new) = present.get(old.key.as_str()) else { return true };
        let has = |name: &str| new.fields.iter().any(|field| field.name == name && field.value.is_some());
        old.fields.iter().any(|field| field.value.is_some() && !has(&field.name))
    })
}

/// True if the new texts are the start of the old texts, and the last of them is incomplete.
fn is_cut(old: &[&str], new: &[&str]) -> bool {
    let Some((last, whole)) = new.split_last() else { return false };
    let Some(cut) = old.get(whole.len()) else { return false };
    new.len() < old.len()
        && last.len() < cut.len()
        && cut.starts_with(*last)
        && old.iter().zip(whole).all(|(old, new)| old == new)
}

fn of_list(before: &[u64], after: &[u64]) -> Option<Doubt> {
    let present: HashSet<u64> = after.iter().copied().collect();
    let remaining = before.iter().filter(|key| present.contains(key)).count();
    let is_lost = before.len() >= MIN_ENTRIES
        && after.len() * MIN_SHRINKAGE < before.len()
        && remaining * 100 < before.len() * MIN_REMAINING_PERCENT;
    is_lost.then_some(Doubt::Lost)
}
