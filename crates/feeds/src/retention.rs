//! What is kept: entries for a year or a thousand a feed, whichever is more, as long as they are not too many
//! and take not too much room; feeds as long as somebody
//! follows them, and a month longer. Everything in small steps, so that no other writer waits long.

mod sql;

use entities::ids::FeedId;
use sea_orm::ConnectionTrait;

use super::dropped;
use super::former;
use super::full_text;
use jobs::hosts;
use kernel::clock::{DAY, HOUR, Millis};
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::statement::{execute, statement};

const KEPT_MS: Millis = 365 * DAY;
const KEPT_COUNT: i64 = 1000;
/// The most entries of one feed, however new they are.
const MAX_COUNT: i64 = 10_000;
/// The most room that the texts of one feed's entries take, however new they are.
const MAX_BYTES: i64 = 64 << 20;
/// Feeds without followers are forgotten after this long.
const UNFOLLOWED_MS: Millis = 30 * DAY;
/// Kept answers of discovery.
const DISCOVERY_MS: Millis = HOUR;
/// Rows of one step.
const STEP: i64 = 500;
/// Steps of one round; the next hour goes on.
const STEPS: usize = 40;

/// Deletes entries of a feed that are older than a year and not among its newest thousand, but for those with a star, and
/// remembers that it had them. Done when the feed gets new ones, so that it costs what arrives and not what is stored.
pub(super) async fn trim(connection: &impl ConnectionTrait, now: Millis, feed_id: FeedId) -> Result<u64> {
    let values = [feed_id.into(), ((now - KEPT_MS) * 1000).into()];
    dropped::remember_stored(connection, now, &sql::old(KEPT_COUNT, STEP), &values).await?;
    sql::delete(connection, &sql::old(KEPT_COUNT, STEP), &values).await
}

/// [`trim`] for feeds that are written and not polled: nothing of them comes again by itself. One statement, when none of them
/// has more than is kept in any case.
pub(super) async fn trim_written(
    connection: &impl ConnectionTrait,
    now: Millis,
    feed_ids: &[FeedId],
) -> Result<()> {
    for feed_id in sql::full(connection, feed_ids, KEPT_COUNT).await? {
        let values = [feed_id.into(), ((now - KEPT_MS) * 1000).into()];
        sql::delete(connection, &sql::old(KEPT_COUNT, STEP), &values).await?;
    }
    Ok(())
}

/// Deletes the oldest entries of a feed that has too many, or whose texts take too much room, read or not, and
/// remembers that it had them; one with a star keeps its row. Done when the feed gets new ones; it reads an index only.
pub(super) async fn bound(connection: &impl ConnectionTrait, now: Millis, feed_id: FeedId) -> Result<u64> {
    sql::empty_starred(connection, feed_id, MAX_COUNT, MAX_BYTES).await?;
    let chosen = sql::beyond(MAX_COUNT, MAX_BYTES, STEP);
    if !sql::any(connection, &chosen, &[feed_id.into()]).await? {
        return Ok(0);
    }
    dropped::remember_stored(connection, now, &chosen, &[feed_id.into()]).await?;
    sql::delete(connection, &chosen, &[feed_id.into()]).await
}

/// Deletes feeds that nobody has followed for a month, with their entries, and old answers of discovery.
/// Returns how many feeds.
pub async fn delete_unfollowed(domain: &Domain) -> Result<u64> {
    let now = domain.now();
    let connection = domain.db().write();
    let sql = "DELETE FROM feed_discovery WHERE made_at < $1";
    execute(connection, sql, [(now - DISCOVERY_MS).into()]).await?;
    hosts::delete_ended(connection, now).await?;
    former::forget_ended(connection, now).await?;
    full_text::drop_old(connection, now).await?;
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

/// Takes the entries without a star away step by step, then the feed if none is left and nobody has followed it meanwhile.
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
