//! Statistics of subscriptions: how often a feed publishes, and how many of its entries the account reads.
//!
//! Entries that are opened or marked as read by id are counted per subscription and week. Marking a whole
//! list as read is not counted, because it does not mean that the entries were read.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, EntryId, FeedId, SubscriptionId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryResult, Value};

use super::entry::PUBLISHED;
use super::entry_scope::{EntryScope, IS_UNREAD, MARKS, NOT_DUPLICATE, SOURCES};
use kernel::clock::{DAY, HOUR, MINUTE};
use kernel::statement::{execute, placeholders, statement};
use kernel::{Domain, Millis, Result};

const WEEK: Millis = 7 * DAY;
/// Number of minutes in a week.
const WEEK_MINUTES: u32 = 7 * 24 * 60;
/// Number of weeks that the statistics cover.
const WEEKS: i64 = 12;
/// Minimum number of weeks for which a feed must be followed and reads must be counted before the feed can be
/// reported as never read.
const MIN_WEEKS: i64 = 4;
/// Maximum number of entries of a feed that are counted, newest first.
const MAX_COUNTED: i64 = 500;

/// Statistics of one subscription over twelve weeks.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedStatistics {
    pub subscription_id: SubscriptionId,
    pub feed_id: FeedId,
    /// Title of the feed, as displayed to the account.
    pub title: String,
    /// Entries per week, rounded to tenths. Computed from at most the 500 newest entries.
    pub posts_per_week: f64,
    /// Read entries divided by published entries, from 0 to 1. `None` if the feed published no entries.
    pub read_share: Option<f64>,
    /// Time of the newest entry.
    pub last_post_at: Option<Millis>,
    /// Time at which an entry was last opened or marked as read by id.
    pub last_read_at: Option<Millis>,
    /// True if the feed published entries and the account read none of them, although it reads other feeds.
    pub never_read: bool,
}

/// Filter of subscriptions for which statistics are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatisticsFilter {
    /// Only this subscription.
    pub subscription_id: Option<SubscriptionId>,
    /// Only feeds that are never read.
    pub never_read: bool,
}

/// One page of statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct StatisticsPage {
    /// Statistics in the order in which the feeds were followed.
    pub statistics: Vec<FeedStatistics>,
    /// Id after which the next page starts. `None` if this page is the last.
    pub next_after: Option<SubscriptionId>,
}

/// Returns the statistics of at most `limit` subscriptions, starting after the id `after`.
#[boxed]
pub async fn list_statistics(
    domain: &Domain,
    account_id: AccountId,
    filter: StatisticsFilter,
    after: Option<SubscriptionId>,
    limit: u32,
) -> Result<StatisticsPage> {
    let (connection, now) = (domain.db().read(), domain.now());
    let week = now / WEEK;
    let values: [Value; 7] = [
        account_id.into(),
        after.map_or(0, SubscriptionId::as_i64).into(),
        filter.subscription_id.map_or(0, SubscriptionId::as_i64).into(),
        (now - WEEKS * WEEK).into(),
        (week - WEEKS).into(),
        (now - MIN_WEEKS * WEEK).into(),
        (week - MIN_WEEKS).into(),
    ];
    let sql = page_statement(filter, i64::from(limit) + 1);
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let mut statistics = rows.iter().map(|row| read(row, now)).collect::<Result<Vec<_>>>()?;
    let has_more = statistics.len() > limit as usize;
    statistics.truncate(limit as usize);
    let next_after = statistics.last().map(|last| last.subscription_id).filter(|_| has_more);
    Ok(StatisticsPage { statistics, next_after })
}

/// Builds the statement for a page. `$4` is the start of the covered time, and `$5` the week before it. `$6`
/// and `$7` are the corresponding values for the shorter time that determines whether a feed is never read.
fn page_statement(filter: StatisticsFilter, limit: i64) -> String {
    let newest = format!(
        "(SELECT COALESCE({PUBLISHED}, e.discovered_us / 1000) AS posted_at FROM feed_entry e \
         WHERE e.feed_id = s.feed_id ORDER BY e.id DESC LIMIT {MAX_COUNTED}) n"
    );
    let never_read = "(s.created_at < $6 AND COALESCE(f.last_new_at, 0) >= $4 AND NOT EXISTS \
         (SELECT 1 FROM rss_read_week w WHERE w.subscription_id = s.id AND w.week > $5) AND EXISTS \
         (SELECT 1 FROM rss_read_week w WHERE w.account_id = $1 AND w.week <= $7))";
    let only = if filter.never_read { format!(" AND {never_read}") } else { String::new() };
    format!(
        "SELECT s.id, s.feed_id, COALESCE(s.title, f.title, f.url), \
         (SELECT count(*) FROM {newest} WHERE n.posted_at >= $4), \
         (SELECT count(*) FROM {newest}), (SELECT MIN(n.posted_at) FROM {newest}), \
         (SELECT MAX(n.posted_at) FROM {newest}), \
         (SELECT CAST(COALESCE(SUM(w.entries), 0) AS bigint) FROM rss_read_week w \
         WHERE w.subscription_id = s.id AND w.week > $5), \
         (SELECT MAX(w.last_read_at) FROM rss_read_week w WHERE w.subscription_id = s.id), {never_read} \
         FROM rss_subscription s JOIN feed f ON f.id = s.feed_id \
         WHERE s.account_id = $1 AND s.id > $2 AND ($3 = 0 OR s.id = $3){only} ORDER BY s.id LIMIT {limit}"
    )
}

fn read(row: &QueryResult, now: Millis) -> Result<FeedStatistics> {
    let posts: i64 = row.try_get_by_index(3)?;
    let counted: i64 = row.try_get_by_index(4)?;
    let oldest: Option<Millis> = row.try_get_by_index(5)?;
    let reads: i64 = row.try_get_by_index(7)?;
    Ok(FeedStatistics {
        subscription_id: row.try_get_by_index(0)?,
        feed_id: row.try_get_by_index(1)?,
        title: row.try_get_by_index(2)?,
        posts_per_week: posts_per_week(posts, covered_time(counted, oldest, now)),
        read_share: read_share(reads, posts),
        last_post_at: row.try_get_by_index(6)?,
        last_read_at: row.try_get_by_index(8)?,
        never_read: row.try_get_by_index(9)?,
    })
}

/// Returns the time in milliseconds that the counted entries cover. It is shorter than twelve weeks if the
/// feed is younger, or if the feed has more entries than are counted.
fn covered_time(counted: i64, oldest: Option<Millis>, now: Millis) -> Millis {
    let least = if counted < MAX_COUNTED { WEEK } else { HOUR };
    oldest.map_or(WEEKS * WEEK, |oldest| (now - oldest).clamp(least, WEEKS * WEEK))
}

fn posts_per_week(posts: i64, covered: Millis) -> f64 {
    let minutes = u32::try_from(covered / MINUTE).unwrap_or(u32::MAX).max(1);
    let weeks = f64::from(minutes) / f64::from(WEEK_MINUTES);
    (number(posts) / weeks * 10.0).round() / 10.0
}

fn read_share(reads: i64, posts: i64) -> Option<f64> {
    let share = number(reads) / number(posts);
    (posts > 0).then(|| (share.min(1.0) * 100.0).round() / 100.0)
}

fn number(count: i64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(0))
}

/// Counts those of the given entries that are unread. The caller is about to mark them as read by id. Deletes
/// counts of the account that the statistics no longer cover.
pub(super) async fn count_read(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    ids: &[EntryId],
) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let week = now / WEEK;
    let sql = format!(
        "INSERT INTO rss_read_week (account_id, subscription_id, week, entries, last_read_at) \
         SELECT $1, o.subscription_id, CAST($4 AS bigint), count(*), CAST($5 AS bigint) FROM ({SOURCES}) o \
         JOIN feed_entry e ON e.feed_id = o.feed_id AND e.id <= o.last_entry_id LEFT JOIN {MARKS} \
         WHERE {IS_UNREAD} AND {NOT_DUPLICATE} AND e.id IN ({}) GROUP BY o.subscription_id \
         ON CONFLICT (subscription_id, week) DO UPDATE SET entries = rss_read_week.entries + excluded.entries, \
         last_read_at = excluded.last_read_at",
        placeholders(6, ids.len())
    );
    let mut values: Vec<Value> = EntryScope::default().values(account_id).to_vec();
    values.extend([week.into(), now.into()]);
    values.extend(ids.iter().map(|id| Value::from(*id)));
    execute(transaction, &sql, values).await?;
    let sql = "DELETE FROM rss_read_week WHERE account_id = $1 AND week <= $2";
    execute(transaction, sql, [account_id.into(), (week - WEEKS - 1).into()]).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posts_per_week_cover_twelve_weeks_or_the_age_of_the_feed() {
        let now = 100 * WEEK;
        let rate = |posts, counted, oldest| posts_per_week(posts, covered_time(counted, Some(oldest), now));
        assert_eq!(rate(24, 100, now - 50 * WEEK).to_string(), "2");
        assert_eq!(rate(6, 6, now - 3 * WEEK).to_string(), "2");
        assert_eq!(rate(3, 3, now - HOUR).to_string(), "3", "a new feed counts as a week old");
        assert_eq!(rate(500, 500, now - 3 * DAY - 12 * HOUR).to_string(), "1000");
        assert_eq!(posts_per_week(0, covered_time(0, None, now)).to_string(), "0");
        assert_eq!(rate(1, 100, now - 50 * WEEK).to_string(), "0.1");
    }

    #[test]
    fn read_share_is_at_most_one_and_none_without_posts() {
        assert_eq!(format!("{:?}", read_share(1, 3)), "Some(0.33)");
        assert_eq!(format!("{:?}", read_share(5, 3)), "Some(1.0)");
        assert_eq!(read_share(0, 0), None);
    }
}
