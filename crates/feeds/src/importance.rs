//! Unread entries by importance to their reader: starred entries, then entries of feeds whose entries the
//! account stars and reads. Newer entries precede older entries.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, EntryId, FeedId};
use sea_orm::{ConnectionTrait, Value};

use super::entries::list_entries;
use super::entry::Entry;
use super::entry_filter::EntryFilter;
use kernel::clock::DAY;
use kernel::statement::{placeholders, statement};
use kernel::{Domain, Millis, Result};

/// Number of newest unread entries that are ranked.
const CANDIDATES: u32 = 100;
/// Period in which stars and reads are counted.
const COUNTED_TIME: Millis = 12 * 7 * DAY;
const WEEK: Millis = 7 * DAY;
/// Maximum number of stars of a feed that count.
const MAX_STARS: i64 = 10;
/// Maximum number of entries of one feed in the result. Starred entries are always included.
const PER_FEED: usize = 3;

/// Points of an entry that its reader or a rule has starred.
const STARRED_POINTS: i64 = 1_000;
/// Points for each star of the feed.
const POINTS_PER_STAR: i64 = 30;
/// Points of a feed whose entries are all read.
const READ_POINTS: i64 = 300;

/// Unread entries by importance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportantEntries {
    /// Most important entry first.
    pub entries: Vec<Entry>,
    /// Greatest id of an entry at the time of the query. Entries that arrive afterwards have greater ids.
    pub as_of_id: EntryId,
    /// Time at which the newest of the ranked entries was discovered. `None` if no entry was ranked.
    pub newest_at: Option<Millis>,
    /// Number of unread entries, up to a bound.
    pub unread_total: i64,
    /// True if there are more unread entries than `unread_total`.
    pub unread_partial: bool,
}

/// Stars and reads of one feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FeedUse {
    stars: i64,
    reads: i64,
}

/// Returns at most `limit` of the newest unread entries, the most important first.
#[boxed]
pub async fn important_unread(
    domain: &Domain,
    account_id: AccountId,
    limit: usize,
) -> Result<ImportantEntries> {
    let filter = EntryFilter { unread: Some(true), ..EntryFilter::default() };
    let page = list_entries(domain, account_id, &filter, None, CANDIDATES).await?;
    let uses = feed_uses(domain, account_id, &page.entries).await?;
    let newest_at = page.entries.iter().map(|entry| entry.discovered_at).max();
    Ok(ImportantEntries {
        newest_at,
        entries: ranked(page.entries, &uses, limit),
        as_of_id: page.as_of_id,
        unread_total: page.unread_total,
        unread_partial: page.unread_partial,
    })
}

/// Counts the recent stars and reads of the feeds of these entries, in one statement.
async fn feed_uses(
    domain: &Domain,
    account_id: AccountId,
    entries: &[Entry],
) -> Result<HashMap<FeedId, FeedUse>> {
    let mut feed_ids: Vec<FeedId> = entries.iter().map(|entry| entry.feed_id).collect();
    feed_ids.sort_unstable();
    feed_ids.dedup();
    if feed_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let connection = domain.db().read();
    let since = domain.now() - COUNTED_TIME;
    let sql = format!(
        "SELECT s.feed_id, (SELECT count(*) FROM (SELECT 1 AS one FROM rss_star r WHERE r.account_id = $1 \
         AND r.feed_id = s.feed_id AND r.starred_at >= $2 LIMIT {MAX_STARS}) c), \
         (SELECT CAST(COALESCE(SUM(w.entries), 0) AS bigint) FROM rss_read_week w \
         WHERE w.subscription_id = s.id AND w.week >= $3) \
         FROM rss_subscription s WHERE s.account_id = $1 AND s.feed_id IN ({})",
        placeholders(4, feed_ids.len())
    );
    let mut values: Vec<Value> = vec![account_id.into(), since.into(), (since / WEEK).into()];
    values.extend(feed_ids.iter().map(|id| Value::from(*id)));
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let of_row = |row: &sea_orm::QueryResult| -> Result<(FeedId, FeedUse)> {
        let feed_use = FeedUse { stars: row.try_get_by_index(1)?, reads: row.try_get_by_index(2)? };
        Ok((row.try_get_by_index(0)?, feed_use))
    };
    rows.iter().map(of_row).collect()
}

/// Sorts entries by their points minus their position, and limits the entries of each feed. `entries` must be
/// sorted newest first.
fn ranked(entries: Vec<Entry>, uses: &HashMap<FeedId, FeedUse>, limit: usize) -> Vec<Entry> {
    let mut unread: HashMap<FeedId, i64> = HashMap::new();
    for entry in &entries {
        *unread.entry(entry.feed_id).or_default() += 1;
    }
    let mut scored: Vec<(i64, Entry)> = Vec::with_capacity(entries.len());
    for (age, entry) in (0_i64..).zip(entries) {
        let feed_use = uses.get(&entry.feed_id).copied().unwrap_or_default();
        let of_feed = unread.get(&entry.feed_id).copied().unwrap_or(1);
        scored.push((points(&entry, feed_use, of_feed) - age, entry));
    }
    // The sort is stable: of two entries with equal points, the newer remains first.
    scored.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
    let mut listed: HashMap<FeedId, usize> = HashMap::new();
    scored.retain(|(_, entry)| {
        let count = listed.entry(entry.feed_id).or_default();
        *count += 1;
        entry.starred || *count <= PER_FEED
    });
    scored.into_iter().take(limit).map(|(_, entry)| entry).collect()
}

/// Returns the points of an entry, given the use of its feed and the number of the feed's ranked entries.
fn points(entry: &Entry, feed_use: FeedUse, unread: i64) -> i64 {
    let starred = if entry.starred { STARRED_POINTS } else { 0 };
    let seen = feed_use.reads.max(0).saturating_add(unread).max(1);
    let read = READ_POINTS.saturating_mul(feed_use.reads.clamp(0, i64::from(i32::MAX))) / seen;
    starred + feed_use.stars.clamp(0, MAX_STARS) * POINTS_PER_STAR + read
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an unread entry of a feed.
    fn entry(id: i64, feed: i64) -> Entry {
        Entry {
            id: EntryId::new(id),
            feed_id: FeedId::new(feed),
            title: format!("Entry {id}"),
            ..Entry::example()
        }
    }

    fn ids(entries: &[Entry]) -> Vec<i64> {
        entries.iter().map(|entry| entry.id.as_i64()).collect()
    }

    #[test]
    fn starred_entries_and_frequently_read_feeds_are_listed_first() {
        let starred = Entry { starred: true, ..entry(1, 3) };
        let entries = vec![entry(9, 1), entry(8, 1), entry(7, 2), entry(6, 4), starred];
        let uses = [
            (FeedId::new(2), FeedUse { stars: 0, reads: 30 }),
            (FeedId::new(4), FeedUse { stars: 2, reads: 0 }),
        ];
        assert_eq!(ids(&ranked(entries.clone(), &uses.into(), 10)), [1, 7, 6, 9, 8]);
        assert_eq!(ids(&ranked(entries, &HashMap::new(), 2)), [1, 9], "without use, the newest come first");
    }

    #[test]
    fn single_feed_does_not_fill_the_list() {
        let entries = vec![entry(9, 1), entry(8, 1), entry(7, 1), entry(6, 1), entry(5, 2)];
        assert_eq!(ids(&ranked(entries, &HashMap::new(), 10)), [9, 8, 7, 5]);
    }
}
