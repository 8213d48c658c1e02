//! State of an account's entries at one time, and the entries that differ between two times.

use std::collections::{HashMap, HashSet};

use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, Value};
use serde::{Deserialize, Serialize};

use super::super::entry_scope::{EntryScope, NOT_MUTED};
use super::super::log::{self, EventKind};
use kernel::Result;
use kernel::statement::{scalar, statement};

/// Read state of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum EntryMark {
    #[serde(rename = "r")]
    Read,
    #[serde(rename = "u")]
    Unread,
    /// A rule hides the entry.
    #[serde(rename = "h")]
    Hidden,
}

/// State of an account's entries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntrySnapshot {
    /// Number of the last event of all feeds.
    event: i64,
    /// Id of the newest entry of all feeds.
    entry: i64,
    /// Feed, subscription, and watermark of each source.
    sources: Vec<(i64, i64, i64)>,
    /// Entry, feed, and state of each mark.
    marks: Vec<(i64, i64, EntryMark)>,
    /// Entry and feed of each star.
    stars: Vec<(i64, i64)>,
}

/// Entries of a feed, from the first to the last id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct EntryRange {
    #[serde(rename = "s")]
    pub(super) feed: i64,
    #[serde(rename = "a")]
    pub(super) first: i64,
    #[serde(rename = "b")]
    pub(super) last: i64,
}

impl EntryRange {
    fn of_entry(feed: i64, id: i64) -> Self {
        Self { feed, first: id, last: id }
    }
}

impl EntrySnapshot {
    /// Loads the current state. Reads the positions first, so that anything newer is a difference at the next
    /// comparison.
    pub(super) async fn load(transaction: &DatabaseTransaction, account_id: AccountId) -> Result<Self> {
        let event = log::last(transaction).await?;
        let entry = scalar(transaction, "SELECT MAX(id) FROM feed_entry", []).await?;
        let sources = format!(
            "SELECT o.feed_id, o.subscription_id, o.read_through FROM ({}) o ORDER BY o.feed_id, o.subscription_id",
            EntryScope::default().sources()
        );
        let values = EntryScope::default().values(account_id);
        let rows = transaction.query_all_raw(statement(transaction, &sources, values)).await?;
        let number = |row: &sea_orm::QueryResult, at: usize| row.try_get_by_index::<i64>(at);
        let sources = rows
            .iter()
            .map(|row| Ok((number(row, 0)?, number(row, 1)?, number(row, 2)?)))
            .collect::<Result<Vec<_>>>()?;
        let marks = "SELECT m.entry_id, m.feed_id, m.unread, CASE WHEN m.muted_by IS NULL THEN 0 ELSE 1 END \
                     FROM rss_entry_mark m WHERE m.account_id = $1 ORDER BY m.entry_id, m.feed_id";
        let rows = transaction.query_all_raw(statement(transaction, marks, [account_id.into()])).await?;
        let mark = |row: &sea_orm::QueryResult| -> Result<(i64, i64, EntryMark)> {
            let (unread, is_hidden): (bool, i32) = (row.try_get_by_index(2)?, row.try_get_by_index(3)?);
            let state = match (unread, is_hidden) {
                (true, _) => EntryMark::Unread,
                (false, 0) => EntryMark::Read,
                (false, _) => EntryMark::Hidden,
            };
            Ok((number(row, 0)?, number(row, 1)?, state))
        };
        let marks = rows.iter().map(mark).collect::<Result<Vec<_>>>()?;
        let stars = "SELECT entry_id, feed_id FROM rss_star WHERE account_id = $1 ORDER BY entry_id";
        let rows = transaction.query_all_raw(statement(transaction, stars, [account_id.into()])).await?;
        let stars =
            rows.iter().map(|row| Ok((number(row, 0)?, number(row, 1)?))).collect::<Result<Vec<_>>>()?;
        Ok(Self { event, entry, sources, marks, stars })
    }

    /// Returns the entries whose read state or star differs in the current state, and all entries of sources
    /// that only the current state contains.
    pub(super) fn differences(&self, current: &Self) -> Vec<EntryRange> {
        let mut ranges = self.moved_watermarks(current);
        let (before, after) = (ReadStates::of(self), ReadStates::of(current));
        let mut marked: HashSet<(i64, i64)> = HashSet::new();
        for (id, feed, state) in self.marks.iter().chain(&current.marks) {
            let has_just_arrived = *id > self.entry;
            if !(has_just_arrived && *state == EntryMark::Hidden) {
                marked.insert((*id, *feed));
            }
        }
        let changed =
            marked.into_iter().filter(|(id, feed)| before.of_entry(*id, *feed) != after.of_entry(*id, *feed));
        ranges.extend(changed.map(|(id, feed)| EntryRange::of_entry(feed, id)));
        let (stars, current_stars): (HashSet<_>, HashSet<_>) =
            (self.stars.iter().collect(), current.stars.iter().collect());
        ranges.extend(
            stars.symmetric_difference(&current_stars).map(|(id, feed)| EntryRange::of_entry(*feed, *id)),
        );
        ranges
    }

    /// Returns true if no watermark, mark, or star differs. The positions may differ.
    pub(super) fn has_same_states(&self, other: &Self) -> bool {
        (&self.sources, &self.marks, &self.stars) == (&other.sources, &other.marks, &other.stars)
    }

    fn moved_watermarks(&self, current: &Self) -> Vec<EntryRange> {
        let known: HashMap<(i64, i64), i64> = self
            .sources
            .iter()
            .map(|(feed, subscription, through)| ((*feed, *subscription), *through))
            .collect();
        let mut ranges = Vec::new();
        for (feed, subscription, through) in &current.sources {
            match known.get(&(*feed, *subscription)) {
                None => ranges.push(EntryRange { feed: *feed, first: 0, last: current.entry }),
                Some(was) if was != through => {
                    let (first, last) = ((*was).min(*through) + 1, (*was).max(*through));
                    ranges.push(EntryRange { feed: *feed, first, last });
                }
                Some(_) => {}
            }
        }
        ranges
    }
}

/// Read states of entries with marks.
struct ReadStates {
    watermarks: HashMap<i64, i64>,
    marks: HashMap<(i64, i64), EntryMark>,
}

impl ReadStates {
    fn of(snapshot: &EntrySnapshot) -> Self {
        let mut watermarks: HashMap<i64, i64> = HashMap::new();
        for (feed, _, through) in &snapshot.sources {
            let known = watermarks.entry(*feed).or_insert(*through);
            *known = (*known).max(*through);
        }
        let marks = snapshot.marks.iter().map(|(id, feed, state)| ((*id, *feed), *state)).collect();
        Self { watermarks, marks }
    }

    /// Returns the state of an entry. Without a mark, the watermark decides.
    fn of_entry(&self, id: i64, feed: i64) -> EntryMark {
        let is_read = id <= self.watermarks.get(&feed).copied().unwrap_or(0);
        let unmarked = if is_read { EntryMark::Read } else { EntryMark::Unread };
        self.marks.get(&(id, feed)).copied().unwrap_or(unmarked)
    }
}

/// Returns the entries that were discovered between two states. Hidden entries are omitted.
pub(super) async fn arrivals(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    earlier: &EntrySnapshot,
    current: &EntrySnapshot,
) -> Result<Vec<EntryRange>> {
    let sources = EntryScope::default().sources();
    let sql = format!(
        "SELECT e.feed_id, MIN(e.id), MAX(e.id) FROM ({sources}) o JOIN feed_entry e ON e.feed_id = o.feed_id \
         AND e.id <= o.last_entry_id AND e.id > $4 AND e.id <= $5 WHERE {NOT_MUTED} GROUP BY e.feed_id"
    );
    let mut values: Vec<Value> = EntryScope::default().values(account_id).to_vec();
    values.extend([earlier.entry.into(), current.entry.into()]);
    let rows = transaction.query_all_raw(statement(transaction, &sql, values)).await?;
    rows.iter()
        .map(|row| {
            let (feed, first) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
            Ok(EntryRange { feed, first, last: row.try_get_by_index(2)? })
        })
        .collect()
}

/// Returns the entries whose title, address, or text changed between two states.
pub(super) async fn updates(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    earlier: &EntrySnapshot,
    current: &EntrySnapshot,
) -> Result<Vec<EntryRange>> {
    let sources = EntryScope::default().sources();
    let sql = format!(
        "SELECT DISTINCT v.feed_id, v.entry_id FROM ({sources}) o JOIN feed_event v ON v.feed_id = o.feed_id \
         AND v.sequence > $4 AND v.sequence <= $5 AND v.entry_id <= o.last_entry_id WHERE v.kind = $6 \
         AND NOT EXISTS (SELECT 1 FROM rss_entry_mark x WHERE x.account_id = $1 AND x.feed_id = v.feed_id \
         AND x.entry_id = v.entry_id AND x.muted_by IS NOT NULL)"
    );
    let mut values: Vec<Value> = EntryScope::default().values(account_id).to_vec();
    values.extend([earlier.event.into(), current.event.into(), EventKind::EntryUpdated.as_str().into()]);
    let rows = transaction.query_all_raw(statement(transaction, &sql, values)).await?;
    rows.iter()
        .map(|row| Ok(EntryRange::of_entry(row.try_get_by_index(0)?, row.try_get_by_index(1)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(through: i64, marks: &[(i64, EntryMark)], stars: &[i64]) -> EntrySnapshot {
        EntrySnapshot {
            event: 0,
            entry: 100,
            sources: vec![(7, 1, through)],
            marks: marks.iter().map(|(id, mark)| (*id, 7, *mark)).collect(),
            stars: stars.iter().map(|id| (*id, 7)).collect(),
        }
    }

    fn differences(before: &EntrySnapshot, after: &EntrySnapshot) -> Vec<(i64, i64)> {
        let mut ranges = before.differences(after);
        ranges.sort_unstable();
        ranges.dedup();
        ranges.iter().map(|range| (range.first, range.last)).collect()
    }

    #[test]
    fn moved_watermark_changes_the_entries_in_between() {
        assert_eq!(differences(&state(10, &[], &[]), &state(40, &[], &[])), [(11, 40)]);
        assert_eq!(differences(&state(40, &[], &[]), &state(10, &[], &[])), [(11, 40)]);
        assert!(differences(&state(40, &[], &[]), &state(40, &[], &[])).is_empty());
    }

    #[test]
    fn mark_removed_by_a_watermark_is_a_change_only_if_the_state_differs() {
        let marked = state(10, &[(5, EntryMark::Unread), (20, EntryMark::Read)], &[]);
        assert_eq!(differences(&marked, &state(40, &[], &[])), [(5, 5), (11, 40)]);
        assert_eq!(differences(&state(10, &[], &[]), &marked), [(5, 5), (20, 20)]);
    }

    #[test]
    fn adding_or_removing_a_star_changes_the_entry() {
        assert_eq!(differences(&state(0, &[], &[3, 4]), &state(0, &[], &[4, 9])), [(3, 3), (9, 9)]);
    }

    #[test]
    fn hidden_entry_is_a_change_unless_it_has_just_arrived() {
        let hidden = [(50, EntryMark::Hidden), (101, EntryMark::Hidden)];
        assert_eq!(differences(&state(0, &[], &[]), &state(0, &hidden, &[])), [(50, 50)]);
    }

    #[test]
    fn all_entries_of_a_new_source_are_changes() {
        let mut followed = state(0, &[], &[]);
        followed.sources.push((8, 2, 0));
        assert_eq!(differences(&state(0, &[], &[]), &followed), [(0, 100)]);
    }

    #[test]
    fn stored_state_is_loaded_unchanged() {
        let stored = state(10, &[(5, EntryMark::Unread), (20, EntryMark::Hidden)], &[3]);
        let text = serde_json::to_string(&stored).unwrap();
        assert_eq!(serde_json::from_str::<EntrySnapshot>(&text).unwrap(), stored);
    }
}
