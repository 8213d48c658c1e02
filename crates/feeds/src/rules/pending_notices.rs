//! Entries that rules send to channels. The transaction that writes an entry records it as pending, and the job that
//! writes the messages about new entries deletes this record.

use entities::ids::{AccountId, ChannelId, EntryId, FeedId, RuleId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, Value};

use super::super::sql::value_rows;
use super::apply::Decisions;
use kernel::Result;
use kernel::statement::{execute, statement};

/// Number of rows per statement.
const STEP: usize = 200;

/// Condition that a rule of account `$1` sends entry `e` to a channel. `$5` is the pattern of [`channel_pattern`].
pub(crate) const IS_SENT_BY_RULE: &str = "EXISTS (SELECT 1 FROM rss_rule_notice n JOIN rss_rule r ON r.id = n.rule_id \
    AND r.account_id = n.account_id WHERE n.feed_id = e.feed_id AND n.account_id = $1 AND n.entry_id = e.id \
    AND r.notify LIKE $5)";

/// Returns the pattern of the lists that contain a channel, for [`IS_SENT_BY_RULE`].
pub(crate) fn channel_pattern(id: ChannelId) -> String {
    format!("%\"{id}\"%")
}

/// Records the new entries of a feed after the entry `after` that rules send to channels.
pub(crate) async fn request_notices(
    transaction: &DatabaseTransaction,
    feed_id: FeedId,
    after: EntryId,
    decisions: &Decisions,
) -> Result<()> {
    for chunk in decisions.notices.chunks(STEP) {
        let sql = format!(
            "INSERT INTO rss_rule_notice (feed_id, account_id, entry_id, rule_id) \
             SELECT e.feed_id, r.account_id, e.id, r.id FROM (VALUES {}) v JOIN rss_rule r ON r.id = v.column2 \
             JOIN feed_entry e ON e.feed_id = $1 AND e.entry_key = v.column1 WHERE e.id > $2 \
             ON CONFLICT (feed_id, account_id, entry_id, rule_id) DO NOTHING",
            value_rows(3, chunk.len(), &["bigint", "bigint"])
        );
        let mut values: Vec<Value> = vec![feed_id.into(), after.into()];
        let pairs =
            chunk.iter().flat_map(|(key, rule): &(i64, RuleId)| [Value::from(*key), Value::from(*rule)]);
        values.extend(pairs);
        execute(transaction, &sql, values).await?;
    }
    Ok(())
}

/// Returns the channels to which rules send pending entries of a feed, up to the entry `through`, for one follower.
pub(crate) async fn pending_channels(
    transaction: &DatabaseTransaction,
    (account_id, feed_id): (AccountId, FeedId),
    through: EntryId,
) -> Result<Vec<ChannelId>> {
    let sql = "SELECT DISTINCT r.notify FROM rss_rule_notice n JOIN rss_rule r ON r.id = n.rule_id \
               AND r.account_id = n.account_id WHERE n.feed_id = $1 AND n.account_id = $2 AND n.entry_id <= $3";
    let values = [feed_id.into(), account_id.into(), through.into()];
    let mut channels: Vec<ChannelId> = Vec::new();
    for row in transaction.query_all_raw(statement(transaction, sql, values)).await? {
        let list: String = row.try_get_by_index(0)?;
        channels.extend(serde_json::from_str::<Vec<ChannelId>>(&list).unwrap_or_default());
    }
    channels.sort_unstable();
    channels.dedup();
    Ok(channels)
}

/// Deletes the pending entries of a feed up to the entry `through`, for one follower.
pub(crate) async fn delete_notices(
    transaction: &DatabaseTransaction,
    (account_id, feed_id): (AccountId, FeedId),
    through: EntryId,
) -> Result<()> {
    let sql = "DELETE FROM rss_rule_notice WHERE feed_id = $1 AND account_id = $2 AND entry_id <= $3";
    execute(transaction, sql, [feed_id.into(), account_id.into(), through.into()]).await.map(drop)
}

/// Deletes the pending entries of a feed up to the entry `through` after all followers were notified. The remaining
/// ones belong to accounts that are disabled or no longer follow the feed.
pub(crate) async fn delete_undelivered(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    through: EntryId,
) -> Result<()> {
    let sql = "DELETE FROM rss_rule_notice WHERE feed_id = $1 AND entry_id <= $2";
    execute(connection, sql, [feed_id.into(), through.into()]).await.map(drop)
}
