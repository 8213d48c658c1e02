//! SQL statements for previous feeds.

use std::collections::HashMap;

use entities::ids::{AccountId, FeedId, SubscriptionId};
use sea_orm::{ConnectionTrait, Value};

use super::super::source_kind::SourceKind;
use kernel::statement::{execute, placeholders, scalar_optional, statement};
use kernel::{Millis, Result};

/// Number of rows per statement.
const STEP: u32 = 500;

/// Maps each of the given feeds from which the account was moved away to the feed that the account follows
/// now.
pub(crate) async fn current_ids(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    feed_ids: &[FeedId],
) -> Result<HashMap<FeedId, FeedId>> {
    let mut current = HashMap::new();
    for chunk in feed_ids.chunks(500) {
        let sql = format!(
            "SELECT p.feed_id, s.feed_id FROM rss_former_feed p JOIN rss_subscription s \
             ON s.id = p.subscription_id AND s.account_id = p.account_id \
             WHERE p.account_id = $1 AND p.feed_id IN ({})",
            placeholders(2, chunk.len())
        );
        let mut values: Vec<Value> = vec![account_id.into()];
        values.extend(chunk.iter().map(|id| Value::from(*id)));
        for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
            current.insert(row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        }
    }
    Ok(current)
}

/// Returns the feed of a monitor with this URL that the account unfollowed after this time.
pub(super) async fn find_monitor(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    url: &str,
    after: Millis,
) -> Result<Option<FeedId>> {
    let sql = format!(
        "SELECT p.feed_id FROM rss_former_feed p JOIN feed f ON f.id = p.feed_id WHERE p.account_id = $1 \
         AND p.subscription_id IS NULL AND p.ended_at > $2 AND f.url = $3 AND {} \
         ORDER BY p.ended_at DESC LIMIT 1",
        SourceKind::Monitor.condition("f")
    );
    scalar_optional(connection, &sql, [account_id.into(), after.into(), url.into()]).await
}

/// Retains the read state of the feeds of these subscriptions.
pub(super) async fn retain(
    connection: &impl ConnectionTrait,
    now: Millis,
    account_id: AccountId,
    subscriptions: &[(SubscriptionId, FeedId)],
) -> Result<()> {
    let sql = format!(
        "INSERT INTO rss_former_feed (account_id, feed_id, read_through, last_entry_id, ended_at, followed_sequence) \
         SELECT s.account_id, s.feed_id, s.read_through, \
         COALESCE((SELECT MAX(e.id) FROM feed_entry e WHERE e.feed_id = s.feed_id), 0), CAST($2 AS bigint), \
         s.followed_sequence FROM rss_subscription s WHERE s.account_id = $1 AND s.id IN ({})",
        placeholders(3, subscriptions.len())
    );
    let mut values: Vec<Value> = vec![account_id.into(), now.into()];
    values.extend(subscriptions.iter().map(|(id, _)| Value::from(*id)));
    execute(connection, &sql, values).await?;
    Ok(())
}

/// Deletes the records of feeds that were unfollowed before this time, with their read state. Returns the
/// number of deleted feeds.
pub(super) async fn delete_before(connection: &impl ConnectionTrait, before: Millis) -> Result<u64> {
    let ended = format!(
        "SELECT p.account_id, p.feed_id FROM rss_former_feed p WHERE p.subscription_id IS NULL \
         AND p.ended_at < $1 ORDER BY p.account_id, p.feed_id LIMIT {STEP}"
    );
    let marks = format!(
        "DELETE FROM rss_entry_mark WHERE (account_id, feed_id) IN ({ended}) AND NOT EXISTS \
         (SELECT 1 FROM rss_subscription s WHERE s.account_id = rss_entry_mark.account_id \
         AND s.feed_id = rss_entry_mark.feed_id)"
    );
    execute(connection, &marks, [before.into()]).await?;
    let rows = format!("DELETE FROM rss_former_feed WHERE (account_id, feed_id) IN ({ended})");
    execute(connection, &rows, [before.into()]).await
}
