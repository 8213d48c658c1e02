//! SQL statements that mark entries as read or unread.

use entities::ids::{AccountId, EntryId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, Value};

use super::super::entry_scope::{EntryScope, IS_UNREAD, MARKS, NOT_DUPLICATE, SOURCES};
use kernel::statement::{execute, for_update, placeholders, scalar, scalar_optional, statement};
use kernel::{Millis, Result};

/// Condition on subscriptions `s` that are in a scope.
const SUBSCRIPTIONS: &str =
    "s.account_id = $1 AND ($2 = 0 OR s.feed_id = $2) AND ($3 = 0 OR s.collection_id = $3)";

/// Locks the subscriptions in a scope until the transaction completes. Returns their number.
pub(super) async fn lock(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    scope: EntryScope,
) -> Result<usize> {
    let sql = format!(
        "SELECT s.id FROM rss_subscription s WHERE {SUBSCRIPTIONS} ORDER BY s.id{}",
        for_update(transaction, "s")
    );
    let rows = transaction.query_all_raw(statement(transaction, &sql, scope.values(account_id))).await?;
    Ok(rows.len())
}

/// Locks the subscriptions that list these entries until the transaction completes.
pub(super) async fn lock_for_entries(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    ids: &[EntryId],
) -> Result<()> {
    let sql = format!(
        "SELECT s.id FROM rss_subscription s WHERE s.id IN (SELECT o.subscription_id FROM ({SOURCES}) o \
         JOIN feed_entry e ON e.feed_id = o.feed_id WHERE e.id IN ({})) ORDER BY s.id{}",
        placeholders(4, ids.len()),
        for_update(transaction, "s")
    );
    let mut values: Vec<Value> = EntryScope::default().values(account_id).to_vec();
    values.extend(ids.iter().map(|id| Value::from(*id)));
    transaction.query_all_raw(statement(transaction, &sql, values)).await?;
    Ok(())
}

/// Marks the given entries that are visible to the account. Returns the number of marked entries.
pub(super) async fn mark(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    ids: &[EntryId],
    unread: bool,
) -> Result<u64> {
    let sql = format!(
        "INSERT INTO rss_entry_mark (account_id, feed_id, entry_id, unread) \
         SELECT $1, e.feed_id, e.id, CAST($4 AS boolean) FROM ({SOURCES}) o JOIN feed_entry e \
         ON e.feed_id = o.feed_id AND e.id <= o.last_entry_id WHERE {NOT_DUPLICATE} AND e.id IN ({}) \
         ON CONFLICT (account_id, feed_id, entry_id) DO UPDATE SET unread = excluded.unread, \
         muted_by = CASE WHEN excluded.unread THEN NULL ELSE rss_entry_mark.muted_by END",
        placeholders(5, ids.len())
    );
    let mut values: Vec<Value> = EntryScope::default().values(account_id).to_vec();
    values.push(unread.into());
    values.extend(ids.iter().map(|id| Value::from(*id)));
    execute(transaction, &sql, values).await
}

/// Returns the last entry that was discovered before a time. 0 if there is none. Ids and discovery times
/// increase in step.
pub(super) async fn last_before(transaction: &DatabaseTransaction, time: Millis) -> Result<EntryId> {
    let sql =
        "SELECT id FROM feed_entry WHERE discovered_us < $1 ORDER BY discovered_us DESC, id DESC LIMIT 1";
    let newest = scalar_optional(transaction, sql, [time.saturating_mul(1000).into()]).await?;
    Ok(newest.unwrap_or(EntryId::new(0)))
}

/// Returns the newest entry of all feeds.
pub(super) async fn last(transaction: &DatabaseTransaction) -> Result<EntryId> {
    Ok(EntryId::new(scalar(transaction, "SELECT MAX(id) FROM feed_entry", []).await?))
}

/// Returns the number of unread entries in a scope up to an entry.
pub(super) async fn count_unread_through(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    scope: EntryScope,
    through: EntryId,
) -> Result<i64> {
    let sql = format!(
        "SELECT count(*) FROM ({SOURCES}) o JOIN feed_entry e ON e.feed_id = o.feed_id \
         AND e.id <= o.last_entry_id AND e.id <= $4 LEFT JOIN {MARKS} WHERE {IS_UNREAD} AND {NOT_DUPLICATE}"
    );
    scalar(transaction, &sql, up_to(account_id, scope, through)).await
}

/// Marks all entries in a scope up to an entry as read.
pub(super) async fn read_through(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    scope: EntryScope,
    through: EntryId,
) -> Result<()> {
    let ids = format!("SELECT s.id FROM rss_subscription s WHERE {SUBSCRIPTIONS}");
    let marks = format!(
        "DELETE FROM rss_entry_mark WHERE account_id = $1 AND entry_id <= $4 AND muted_by IS NULL \
         AND feed_id IN (SELECT o.feed_id FROM ({SOURCES}) o)"
    );
    let own = format!(
        "UPDATE rss_subscription SET read_through = $4 WHERE account_id = $1 AND read_through < $4 AND id IN ({ids})"
    );
    let previous = format!(
        "UPDATE rss_former_feed SET read_through = $4 WHERE account_id = $1 AND read_through < $4 \
         AND subscription_id IN ({ids})"
    );
    for sql in [marks, own, previous] {
        execute(transaction, &sql, up_to(account_id, scope, through)).await?;
    }
    Ok(())
}

fn up_to(account_id: AccountId, scope: EntryScope, through: EntryId) -> Vec<Value> {
    let mut values = scope.values(account_id).to_vec();
    values.push(through.into());
    values
}
