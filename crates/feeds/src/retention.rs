//! Retention of feeds and entries. Entries are retained for a year, and at least the newest thousand entries
//! of a feed, within limits on number and size. Feeds are retained while they are followed, and for 30 days
//! afterwards. Deletion runs in small steps, so that other writers do not wait long.

mod sql;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, FeedId};
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::dropped_entries;
use super::full_text;
use super::previous_feeds;
use super::rewrites;
use jobs::hosts;
use kernel::clock::{DAY, HOUR};
use kernel::statement::{execute, statement};
use kernel::{Domain, Millis, Result};

const RETENTION_MS: Millis = 365 * DAY;
const MIN_RETAINED: i64 = 1000;
/// Maximum number of entries of one feed, regardless of their age.
const MAX_COUNT: i64 = 10_000;
/// Maximum total size, in bytes, of the texts of one feed's entries, regardless of their age.
const MAX_BYTES: i64 = 64 << 20;
/// Maximum total size, in bytes, of the texts of all newsletters of an account, regardless of their age.
const MAX_NEWSLETTER_BYTES: i64 = 128 << 20;
/// Time, in milliseconds, after which a feed without followers is deleted.
const UNFOLLOWED_MS: Millis = 30 * DAY;
/// Retention of cached discovery results in milliseconds.
const DISCOVERY_MS: Millis = HOUR;
/// Number of rows per statement.
const STEP: i64 = 500;
/// Maximum number of statements per run. The next hourly run continues.
const STEPS: usize = 40;

/// Deletes entries of a feed that are older than a year and not among its newest thousand, and remembers them
/// as dropped. Starred entries are retained. Runs when the feed gets new entries, so its cost depends on
/// arrivals, not on stored entries. Returns the number of deleted entries.
pub(super) async fn trim(connection: &impl ConnectionTrait, now: Millis, feed_id: FeedId) -> Result<u64> {
    let values = [feed_id.into(), ((now - RETENTION_MS) * 1000).into()];
    dropped_entries::remember_stored(connection, now, &sql::expired(MIN_RETAINED, STEP), &values).await?;
    sql::delete(connection, &sql::expired(MIN_RETAINED, STEP), &values).await
}

/// Like [`trim`], but for internal feeds, whose entries never arrive again and need not be remembered.
/// Executes only one statement if no feed has more than a thousand entries.
pub(super) async fn trim_internal(
    connection: &impl ConnectionTrait,
    now: Millis,
    feed_ids: &[FeedId],
) -> Result<()> {
    for feed_id in sql::over_count(connection, feed_ids, MIN_RETAINED).await? {
        let values = [feed_id.into(), ((now - RETENTION_MS) * 1000).into()];
        sql::delete(connection, &sql::expired(MIN_RETAINED, STEP), &values).await?;
    }
    Ok(())
}

/// Deletes the oldest unstarred entries of an account's newsletters beyond 128 MiB. Senders determine the number of
/// newsletters, so the limit applies to their total size.
#[boxed]
pub async fn trim_newsletters(transaction: &DatabaseTransaction, account_id: AccountId) -> Result<()> {
    let chosen = sql::newsletters_over_limit(MAX_NEWSLETTER_BYTES, STEP);
    sql::delete(transaction, &chosen, &[account_id.into()]).await?;
    Ok(())
}

/// Deletes the oldest entries, read or unread, of a feed that exceeds its limits on number or size, and
/// remembers them as dropped. The rows of starred entries are retained. Runs when the feed gets new entries,
/// and then only reads an index if no limit is exceeded. Returns the number of deleted entries.
pub(super) async fn enforce_limits(
    connection: &impl ConnectionTrait,
    now: Millis,
    feed_id: FeedId,
) -> Result<u64> {
    sql::clear_starred_texts(connection, feed_id, MAX_COUNT, MAX_BYTES).await?;
    let chosen = sql::over_limits(MAX_COUNT, MAX_BYTES, STEP);
    if !sql::any(connection, &chosen, &[feed_id.into()]).await? {
        return Ok(0);
    }
    dropped_entries::remember_stored(connection, now, &chosen, &[feed_id.into()]).await?;
    sql::delete(connection, &chosen, &[feed_id.into()]).await
}

/// Deletes feeds that have had no follower for 30 days, with their entries, and old discovery results.
/// Returns the number of deleted feeds.
#[boxed]
pub async fn delete_unfollowed(domain: &Domain) -> Result<u64> {
    let now = domain.now();
    let connection = domain.db().write();
    let sql = "DELETE FROM feed_discovery WHERE made_at < $1";
    execute(connection, sql, [(now - DISCOVERY_MS).into()]).await?;
    rewrites::delete_expired_samples(connection, now).await?;
    hosts::delete_expired(connection, now).await?;
    previous_feeds::delete_expired(connection, now).await?;
    full_text::drop_expired(connection, now).await?;
    let sql = "SELECT f.id FROM feed f WHERE f.next_poll_at IS NULL AND f.created_at < $1 \
                AND COALESCE(f.last_fetched_at, 0) < $1 \
                AND NOT EXISTS (SELECT 1 FROM rss_subscription s WHERE s.feed_id = f.id) \
                AND NOT EXISTS (SELECT 1 FROM rss_former_feed p WHERE p.feed_id = f.id) \
                AND (NOT EXISTS (SELECT 1 FROM rss_star r WHERE r.feed_id = f.id) OR EXISTS (SELECT 1 \
                FROM feed_entry e WHERE e.feed_id = f.id AND {})) LIMIT 100";
    let sql = &sql.replace("{}", sql::UNSTARRED);
    let rows = connection.query_all_raw(statement(connection, sql, [(now - UNFOLLOWED_MS).into()])).await?;
    let mut deleted = 0;
    for row in rows {
        let id: FeedId = row.try_get_by_index(0)?;
        deleted += delete_feed(domain, id).await?;
    }
    Ok(deleted)
}

/// Deletes the entries of a feed that are not starred, step by step. Then deletes the feed, if no entry is
/// left and no account has followed it in the meantime.
async fn delete_feed(domain: &Domain, id: FeedId) -> Result<u64> {
    let connection = domain.db().write();
    for _ in 0..STEPS {
        let sql = format!(
            "DELETE FROM feed_entry WHERE id IN (SELECT e.id FROM feed_entry e WHERE e.feed_id = $1 \
             AND NOT EXISTS (SELECT 1 FROM rss_subscription s WHERE s.feed_id = $1) AND {} ORDER BY e.id LIMIT {STEP})",
            sql::UNSTARRED
        );
        if execute(connection, &sql, [id.into()]).await? < u64::try_from(STEP).unwrap_or(0) {
            break;
        }
    }
    let sql = "DELETE FROM feed WHERE id = $1 AND next_poll_at IS NULL \
                AND NOT EXISTS (SELECT 1 FROM rss_subscription s WHERE s.feed_id = $1) \
                AND NOT EXISTS (SELECT 1 FROM rss_former_feed p WHERE p.feed_id = $1) \
                AND NOT EXISTS (SELECT 1 FROM feed_entry e WHERE e.feed_id = $1)";
    execute(connection, sql, [id.into()]).await
}
