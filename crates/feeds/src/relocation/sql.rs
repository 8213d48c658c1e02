//! SQL statements that move followers. `$1` is the feed that moved, and `$2` the feed at its new address.

use entities::ids::{EntryId, FeedId};
use entities::rss_subscription;
use sea_orm::{ConnectionTrait, DatabaseTransaction, Value};

use kernel::statement::{execute, for_update, scalar, statement};
use kernel::{Millis, Result};

/// Condition on subscriptions `s` that are moved.
const MOVES: &str = "s.feed_id = $1 AND COALESCE(s.declined_feed_id, 0) <> $2";
/// Join with the account's subscription to the new feed, for accounts that follow both feeds.
const OTHER: &str = "rss_subscription o ON o.account_id = s.account_id AND o.feed_id = $2";
/// Entries `a` of the feed that moved, with the mark `m` of their subscription `s`, and their duplicates `b`
/// in the new feed.
const DUPLICATES: &str = "FROM rss_subscription s JOIN feed_entry a ON a.feed_id = s.feed_id \
    JOIN feed_entry_twin t ON t.into_feed_id = $2 AND t.entry_id = a.id JOIN feed_entry b ON b.id = t.twin_id \
    LEFT JOIN rss_entry_mark m ON m.account_id = s.account_id AND m.feed_id = a.feed_id AND m.entry_id = a.id";
/// Condition that entry `a` is unread.
const UNREAD: &str = "COALESCE(m.unread, a.id > s.read_through)";
/// Condition that entry `b` is unread. If it duplicates several entries of the old feed, all of them must be
/// unread.
const ALL_UNREAD: &str = "MIN(CASE WHEN COALESCE(m.unread, a.id > s.read_through) THEN 1 ELSE 0 END) = 1";
const MARK: &str = "INSERT INTO rss_entry_mark (account_id, feed_id, entry_id, unread, muted_by)";
/// An entry that a rule hides remains hidden and read, regardless of the state of its duplicate.
const ON_CONFLICT: &str = "ON CONFLICT (account_id, feed_id, entry_id) DO UPDATE SET \
    unread = excluded.unread AND rss_entry_mark.muted_by IS NULL, \
    muted_by = COALESCE(rss_entry_mark.muted_by, excluded.muted_by)";

/// Maximum number of previous feeds with which new entries of a feed are compared. The owner of many
/// addresses can redirect any number of them to one feed, and all writers of entries wait during the
/// comparison.
const MAX_PREVIOUS_FEEDS: usize = 20;

/// Move of a feed, as recorded for each follower.
pub(super) struct MovedFeed {
    pub(super) from: FeedId,
    pub(super) into: FeedId,
    pub(super) last_from: EntryId,
    pub(super) now: Millis,
}

/// Move of a feed, as applied to its subscriptions.
pub(super) struct MovedSubscriptions {
    pub(super) from: FeedId,
    pub(super) into: FeedId,
    pub(super) last_into: EntryId,
    pub(super) now: Millis,
}

/// Locks the subscriptions of the affected accounts, so that they cannot mark entries of either feed in the
/// meantime. Returns the number of subscriptions to move.
pub(super) async fn lock_subscriptions(
    transaction: &DatabaseTransaction,
    from: FeedId,
    into: FeedId,
) -> Result<i64> {
    let sql = format!(
        "SELECT s.id FROM rss_subscription s WHERE s.feed_id = $1 OR (s.feed_id = $2 AND EXISTS \
         (SELECT 1 FROM rss_subscription o WHERE o.account_id = s.account_id AND o.feed_id = $1)) ORDER BY s.id{}",
        for_update(transaction, "s")
    );
    transaction.query_all_raw(statement(transaction, &sql, feeds(from, into))).await?;
    let sql = format!("SELECT count(*) FROM rss_subscription s WHERE {MOVES}");
    scalar(transaction, &sql, feeds(from, into)).await
}

/// Copies the read state of the old feed to the duplicates in the new feed, including entries that rules
/// hide. If an account followed only the old feed, entries without a duplicate count as read, except entries
/// that are still unread from an earlier subscription. If an account followed both feeds, an entry is read if
/// it was read in either feed.
pub(super) async fn copy_read_state(
    transaction: &DatabaseTransaction,
    from: FeedId,
    into: FeedId,
) -> Result<()> {
    let earlier = format!(
        "{MARK} SELECT s.account_id, $2, e.id, TRUE, CAST(NULL AS bigint) FROM rss_subscription s LEFT JOIN {OTHER} \
         JOIN rss_former_feed p ON p.account_id = s.account_id AND p.feed_id = $2 \
         JOIN feed_entry e ON e.feed_id = $2 AND e.id > p.read_through AND e.id <= p.last_entry_id \
         WHERE {MOVES} AND o.id IS NULL ON CONFLICT DO NOTHING"
    );
    let moved = format!(
        "{MARK} SELECT s.account_id, $2, b.id, {ALL_UNREAD}, MAX(m.muted_by) {DUPLICATES} LEFT JOIN {OTHER} \
         LEFT JOIN rss_entry_mark n ON n.account_id = s.account_id AND n.feed_id = $2 AND n.entry_id = b.id \
         WHERE {MOVES} AND o.id IS NULL GROUP BY s.account_id, b.id \
         HAVING {ALL_UNREAD} OR MAX(m.muted_by) IS NOT NULL OR MAX(n.entry_id) IS NOT NULL {ON_CONFLICT}"
    );
    let both = format!(
        "{MARK} SELECT s.account_id, CAST($2 AS bigint), b.id, FALSE, MAX(m.muted_by) {DUPLICATES} JOIN {OTHER} \
         WHERE {MOVES} AND NOT {UNREAD} GROUP BY s.account_id, b.id {ON_CONFLICT}"
    );
    for sql in [earlier, moved, both] {
        execute(transaction, &sql, feeds(from, into)).await?;
    }
    Ok(())
}

/// Marks the duplicates of a subscription's unread entries in feed `into` as unread.
pub(super) async fn copy_unread(
    transaction: &DatabaseTransaction,
    subscription: &rss_subscription::Model,
    into: FeedId,
) -> Result<()> {
    let sql = format!(
        "{MARK} SELECT s.account_id, CAST($2 AS bigint), b.id, TRUE, CAST(NULL AS bigint) {DUPLICATES} \
         WHERE s.id = $1 AND {UNREAD} GROUP BY s.account_id, b.id {ON_CONFLICT}"
    );
    let values: [Value; 2] = [subscription.id.into(), into.into()];
    execute(transaction, &sql, values).await?;
    Ok(())
}

/// Records the old feed for each follower. Its entries are listed under the subscription to the new feed.
pub(super) async fn record_previous_feed(transaction: &DatabaseTransaction, moved: MovedFeed) -> Result<()> {
    let MovedFeed { from, into, last_from, now } = moved;
    let sql = format!(
        "UPDATE rss_former_feed SET subscription_id = (SELECT o.id FROM rss_subscription s JOIN {OTHER} \
         WHERE s.id = rss_former_feed.subscription_id) WHERE subscription_id IN \
         (SELECT s.id FROM rss_subscription s JOIN {OTHER} WHERE {MOVES})"
    );
    execute(transaction, &sql, feeds(from, into)).await?;
    let sql = format!(
        "INSERT INTO rss_former_feed (account_id, feed_id, into_feed_id, subscription_id, read_through, \
         last_entry_id, ended_at, followed_sequence) SELECT s.account_id, $1, $2, COALESCE(o.id, s.id), s.read_through, \
         $3, $4, s.followed_sequence \
         FROM rss_subscription s LEFT JOIN {OTHER} WHERE {MOVES} ON CONFLICT (account_id, feed_id) DO UPDATE SET \
         into_feed_id = excluded.into_feed_id, subscription_id = excluded.subscription_id, \
         read_through = excluded.read_through, last_entry_id = excluded.last_entry_id, ended_at = excluded.ended_at, \
         followed_sequence = excluded.followed_sequence"
    );
    let values: [Value; 4] = [from.into(), into.into(), last_from.into(), now.into()];
    execute(transaction, &sql, values).await?;
    let sql = format!(
        "DELETE FROM rss_former_feed WHERE feed_id = $2 AND account_id IN \
         (SELECT s.account_id FROM rss_subscription s WHERE {MOVES})"
    );
    execute(transaction, &sql, feeds(from, into)).await?;
    Ok(())
}

/// Moves the subscriptions from the old feed to the new feed.
pub(super) async fn move_subscriptions(
    transaction: &DatabaseTransaction,
    arrived: MovedSubscriptions,
) -> Result<()> {
    let MovedSubscriptions { from, into, last_into, now } = arrived;
    let sql = format!(
        "UPDATE rss_rule SET subscription_id = (SELECT o.id FROM rss_subscription s JOIN {OTHER} \
         WHERE s.id = rss_rule.subscription_id) WHERE subscription_id IN \
         (SELECT s.id FROM rss_subscription s JOIN {OTHER} WHERE {MOVES})"
    );
    execute(transaction, &sql, feeds(from, into)).await?;
    let sql = format!(
        "DELETE FROM rss_subscription WHERE id IN (SELECT s.id FROM rss_subscription s JOIN {OTHER} WHERE {MOVES})"
    );
    execute(transaction, &sql, feeds(from, into)).await?;
    let sql = format!(
        "UPDATE rss_subscription SET feed_id = $2, read_through = $3, moved_from_id = $1, moved_at = $4, \
         declined_feed_id = NULL, followed_sequence = (SELECT MAX(v.sequence) FROM feed_event v) WHERE id IN (SELECT s.id FROM rss_subscription s WHERE {MOVES})"
    );
    let values: [Value; 4] = [from.into(), into.into(), last_into.into(), now.into()];
    execute(transaction, &sql, values).await?;
    Ok(())
}

/// Copies the read state from the feed to which the subscription was moved back to the duplicates in the old
/// feed `to`.
pub(super) async fn restore_read_state(
    transaction: &DatabaseTransaction,
    subscription: &rss_subscription::Model,
    to: FeedId,
) -> Result<()> {
    let sql = format!(
        "{MARK} SELECT s.account_id, $1, t.entry_id, COALESCE(m.unread, b.id > s.read_through), m.muted_by \
         FROM rss_subscription s JOIN feed_entry_twin t ON t.into_feed_id = s.feed_id \
         JOIN feed_entry a ON a.id = t.entry_id AND a.feed_id = $1 JOIN feed_entry b ON b.id = t.twin_id \
         LEFT JOIN rss_entry_mark m ON m.account_id = s.account_id AND m.feed_id = s.feed_id AND m.entry_id = b.id \
         WHERE s.id = $2 {ON_CONFLICT}"
    );
    let values: [Value; 2] = [to.into(), subscription.id.into()];
    execute(transaction, &sql, values).await?;
    Ok(())
}

/// Returns the feeds whose followers were moved to this feed and still have their entries listed there,
/// latest move first.
pub(super) async fn moved_into(transaction: &DatabaseTransaction, into: FeedId) -> Result<Vec<FeedId>> {
    let sql = format!(
        "SELECT feed_id FROM rss_former_feed WHERE into_feed_id = $1 AND subscription_id IS NOT NULL \
         GROUP BY feed_id ORDER BY MAX(ended_at) DESC, feed_id LIMIT {MAX_PREVIOUS_FEEDS}"
    );
    let rows = transaction.query_all_raw(statement(transaction, &sql, [into.into()])).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

/// Marks the entries of a feed up to an entry as read, for the followers that were moved to the feed.
pub(super) async fn read_through(
    transaction: &DatabaseTransaction,
    into: FeedId,
    last: EntryId,
) -> Result<()> {
    let sql = "UPDATE rss_subscription SET read_through = $2 WHERE feed_id = $1 AND read_through < $2 \
                AND id IN (SELECT subscription_id FROM rss_former_feed WHERE into_feed_id = $1)";
    let values: [Value; 2] = [into.into(), last.into()];
    execute(transaction, sql, values).await?;
    Ok(())
}

/// Sets the read state of entries that arrived after `$2` to that of their duplicates in the previous feeds.
pub(super) async fn apply_previous_state(
    transaction: &DatabaseTransaction,
    into: FeedId,
    after: EntryId,
) -> Result<()> {
    let sql = format!(
        "{MARK} SELECT p.account_id, $1, t.twin_id, \
         MIN(CASE WHEN COALESCE(m.unread, a.id > p.read_through) THEN 1 ELSE 0 END) = 1, MAX(m.muted_by) \
         FROM rss_former_feed p JOIN rss_subscription s ON s.id = p.subscription_id AND s.feed_id = $1 \
         JOIN feed_entry_twin t ON t.into_feed_id = $1 AND t.twin_id > $2 \
         JOIN feed_entry a ON a.id = t.entry_id AND a.feed_id = p.feed_id AND a.id <= p.last_entry_id \
         JOIN feed_entry b ON b.id = t.twin_id \
         LEFT JOIN rss_entry_mark m ON m.account_id = p.account_id AND m.feed_id = p.feed_id AND m.entry_id = a.id \
         WHERE p.into_feed_id = $1 GROUP BY p.account_id, t.twin_id {ON_CONFLICT}"
    );
    let values: [Value; 2] = [into.into(), after.into()];
    execute(transaction, &sql, values).await?;
    Ok(())
}

fn feeds(from: FeedId, into: FeedId) -> [Value; 2] {
    [from.into(), into.into()]
}
