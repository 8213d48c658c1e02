//! What is kept: entries for a year or a thousand a feed, whichever is more, as long as they are not too many
//! and take not too much room; feeds as long as somebody
//! follows them, and a month longer. Everything in small steps, so that no other writer waits long.

use entities::ids::FeedId;
use sea_orm::ConnectionTrait;

use super::former;
use super::sql::{execute, statement};
use crate::clock::{DAY, HOUR, Millis};
use crate::error::Result;
use crate::handle::Domain;
use crate::hosts;

const KEPT_MS: Millis = 365 * DAY;
const KEPT_COUNT: i64 = 1000;
/// The most entries of one feed, however new they are.
const MAX_COUNT: i64 = 5_000;
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

/// Deletes entries of a feed that are older than a year and not among its newest thousand. Done when the
/// feed gets new ones, so that it costs what arrives and not what is stored.
pub(super) async fn trim(connection: &impl ConnectionTrait, now: Millis, feed_id: FeedId) -> Result<u64> {
    let sql = format!(
        "DELETE FROM feed_entry WHERE id IN (SELECT e.id FROM feed_entry e WHERE e.feed_id = $1 \
         AND e.discovered_us < $2 AND e.id < (SELECT n.id FROM feed_entry n WHERE n.feed_id = $1 \
         ORDER BY n.id DESC LIMIT 1 OFFSET {}) ORDER BY e.id LIMIT {STEP})",
        KEPT_COUNT - 1
    );
    execute(connection, &sql, [feed_id.into(), ((now - KEPT_MS) * 1000).into()]).await
}

/// Deletes the oldest entries of a feed that has too many, or whose texts take too much room. Done when the feed
/// gets new ones; it reads an index only.
pub(super) async fn bound(connection: &impl ConnectionTrait, feed_id: FeedId) -> Result<u64> {
    let text = format!(
        "DELETE FROM feed_entry WHERE id IN (SELECT k.id FROM (SELECT e.id AS id, \
         ROW_NUMBER() OVER newest AS place, SUM(e.size_bytes) OVER newest AS total FROM feed_entry e \
         WHERE e.feed_id = $1 WINDOW newest AS (ORDER BY e.id DESC ROWS UNBOUNDED PRECEDING)) k \
         WHERE k.place > {MAX_COUNT} OR k.total > {MAX_BYTES} ORDER BY k.id LIMIT {STEP})"
    );
    execute(connection, &text, [feed_id.into()]).await
}

/// Deletes feeds that nobody has followed for a month, with their entries, and old answers of discovery.
/// Returns how many feeds.
pub async fn delete_unfollowed(domain: &Domain) -> Result<u64> {
    let now = domain.now();
    let connection = domain.db().write();
    let sql = "DELETE FROM feed_discovery WHERE made_at < $1";
    execute(connection, sql, [(now - DISCOVERY_MS).into()]).await?;
    hosts::delete_ended_pauses(connection, now).await?;
    former::forget_ended(connection, now).await?;
    let sql = "SELECT f.id FROM feed f WHERE f.next_poll_at IS NULL AND f.created_at < $1 \
                AND COALESCE(f.last_fetched_at, 0) < $1 \
                AND NOT EXISTS (SELECT 1 FROM rss_subscription s WHERE s.feed_id = f.id) \
                AND NOT EXISTS (SELECT 1 FROM rss_former_feed p WHERE p.feed_id = f.id) LIMIT 100";
    let rows = connection.query_all_raw(statement(connection, sql, [(now - UNFOLLOWED_MS).into()])).await?;
    let mut deleted = 0;
    for row in rows {
        let id: FeedId = row.try_get_by_index(0)?;
        deleted += delete_feed(domain, id).await?;
    }
    Ok(deleted)
}

/// Takes the entries away step by step, then the feed if nobody has followed it meanwhile.
async fn delete_feed(domain: &Domain, id: FeedId) -> Result<u64> {
    let connection = domain.db().write();
    for _ in 0..STEPS {
        let sql = format!(
            "DELETE FROM feed_entry WHERE id IN (SELECT e.id FROM feed_entry e WHERE e.feed_id = $1 \
             AND NOT EXISTS (SELECT 1 FROM rss_subscription s WHERE s.feed_id = $1) ORDER BY e.id LIMIT {STEP})"
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
