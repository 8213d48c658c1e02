//! Two rows that are one feed become one: a feed moved for good to an address that is another known feed's.
//! Its followers follow the other one from then on, with what they had read and not read; entries that both
//! have are one entry, and those that only the moved feed had go along. Nothing is lost and nothing comes
//! twice. The row that is left behind has no followers and is forgotten in time.

use std::collections::{HashMap, HashSet};

use entities::ids::{EntryId, FeedId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryResult};

use super::ingest;
use super::redirects::Merge;
use super::rows::{execute, for_update, scalar, statement};
use crate::clock::Millis;
use crate::error::Result;
use crate::handle::Domain;

/// The state of entry `a` of subscription `s`, and its twin `b` in the other feed: `$1` is the feed that
/// moved, `$2` the one that it is.
const TWINS: &str = "FROM rss_subscription s JOIN feed_entry a ON a.feed_id = s.feed_id \
    LEFT JOIN rss_entry_mark m ON m.account_id = s.account_id AND m.feed_id = a.feed_id AND m.entry_id = a.id \
    LEFT JOIN feed_entry b ON b.feed_id = $2 AND b.entry_key = a.entry_key";
/// Whether the account follows both feeds.
const FOLLOWS_BOTH: &str =
    "EXISTS (SELECT 1 FROM rss_subscription o WHERE o.account_id = s.account_id AND o.feed_id = $2)";

/// Merges two feeds, if the one that moved still has the address of a redirect. Doing it twice does nothing
/// twice.
///
/// # Errors
/// `Unavailable` and `Internal`; the next poll of the feed that moved leads here again.
pub(super) async fn merge(domain: &Domain, Merge { from, into }: Merge) -> Result<()> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    // Always in this order, so that two merges that meet do not wait for each other.
    let sql = format!(
        "SELECT f.id FROM feed f WHERE f.id IN ($1, $2) ORDER BY f.id{}",
        for_update(&transaction, "f")
    );
    let found = transaction.query_all_raw(statement(&transaction, &sql, [from.into(), into.into()])).await?;
    if found.len() < 2 {
        return Ok(());
    }
    hold_subscriptions(&transaction, from, into).await?;
    ingest::lock_order(&transaction).await?;
    pair_entries(&transaction, from, into).await?;
    join_read_state(&transaction, from, into).await?;
    move_subscriptions(&transaction, from, into).await?;
    move_entries(&transaction, from, into).await?;
    let sql = "UPDATE feed_address SET feed_id = $2 WHERE feed_id = $1";
    execute(&transaction, sql, [from.into(), into.into()]).await?;
    execute(&transaction, "DELETE FROM feed_hub WHERE feed_id = $1", [from.into()]).await?;
    execute(&transaction, "UPDATE feed SET next_poll_at = NULL WHERE id = $1", [from.into()]).await?;
    wake(&transaction, now, into).await?;
    transaction.commit().await?;
    tracing::info!(%from, %into, "a feed moved to where another one lies: they are one now");
    Ok(())
}

/// Nobody marks anything in either feed meanwhile.
async fn hold_subscriptions(transaction: &DatabaseTransaction, from: FeedId, into: FeedId) -> Result<()> {
    let sql = format!(
        "SELECT s.id FROM rss_subscription s WHERE s.feed_id IN ($1, $2) ORDER BY s.id{}",
        for_update(transaction, "s")
    );
    transaction.query_all_raw(statement(transaction, &sql, [from.into(), into.into()])).await?;
    Ok(())
}

/// Gives entries of the feed that moved the key of their twin, where the two feeds told entries apart in
/// different ways and everything else of the two is equal.
async fn pair_entries(transaction: &DatabaseTransaction, from: FeedId, into: FeedId) -> Result<()> {
    let sql = "SELECT id, entry_key, mark_guid, mark_url, mark_title, mark_published FROM feed_entry \
                WHERE feed_id = $1 ORDER BY id";
    let mut alone: HashMap<[i64; 4], i64> = HashMap::new();
    let mut keys = HashSet::new();
    for row in transaction.query_all_raw(statement(transaction, sql, [into.into()])).await? {
        let (_, key, marks) = marks(&row)?;
        keys.insert(key);
        alone.insert(marks, key);
    }
    let moved = transaction.query_all_raw(statement(transaction, sql, [from.into()])).await?;
    let moved = moved.iter().map(marks).collect::<Result<Vec<_>>>()?;
    let own: HashSet<i64> = moved.iter().map(|(_, key, _)| *key).collect();
    for (id, key, marks) in &moved {
        // A twin has the key already, or nobody of the feed that moved has.
        let twin = alone.remove(marks).filter(|twin| !own.contains(twin) && !keys.contains(key));
        if let Some(key) = twin {
            let sql = "UPDATE feed_entry SET entry_key = $1 WHERE id = $2";
            execute(transaction, sql, [key.into(), (*id).into()]).await?;
        }
    }
    Ok(())
}

/// An entry's id, its key and its marks.
fn marks(row: &QueryResult) -> Result<(EntryId, i64, [i64; 4])> {
    let marks = [
        row.try_get_by_index(2)?,
        row.try_get_by_index(3)?,
        row.try_get_by_index(4)?,
        row.try_get_by_index(5)?,
    ];
    Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?, marks))
}

/// Writes what is read and what is not as marks on the entries that stay. Who followed both has read an
/// entry that was read in either feed.
async fn join_read_state(transaction: &DatabaseTransaction, from: FeedId, into: FeedId) -> Result<()> {
    let unread = "COALESCE(m.unread, a.id > s.read_through)";
    let insert = "INSERT INTO rss_entry_mark (account_id, feed_id, entry_id, unread)";
    let known = "ON CONFLICT (account_id, feed_id, entry_id)";
    let moved = format!(
        "{insert} SELECT s.account_id, $2, COALESCE(b.id, a.id), {unread} {TWINS} \
         WHERE s.feed_id = $1 AND {unread} AND NOT {FOLLOWS_BOTH} {known} DO UPDATE SET unread = excluded.unread"
    );
    let both_read = format!(
        "{insert} SELECT s.account_id, $2, b.id, FALSE {TWINS} \
         WHERE s.feed_id = $1 AND b.id IS NOT NULL AND NOT {unread} AND {FOLLOWS_BOTH} \
         {known} DO UPDATE SET unread = excluded.unread"
    );
    let both_alone = format!(
        "{insert} SELECT s.account_id, $2, a.id, {unread} {TWINS} \
         WHERE s.feed_id = $1 AND b.id IS NULL AND {FOLLOWS_BOTH} {known} DO UPDATE SET unread = excluded.unread"
    );
    for sql in [moved, both_read, both_alone] {
        execute(transaction, &sql, [from.into(), into.into()]).await?;
    }
    let sql = "DELETE FROM rss_entry_mark WHERE feed_id = $1 \
                AND entry_id IN (SELECT e.id FROM feed_entry e WHERE e.feed_id = $1)";
    execute(transaction, sql, [from.into()]).await?;
    Ok(())
}

/// Who followed the feed that moved follows the other one. What only the other one had is read for them: it
/// is older than anything they were shown.
async fn move_subscriptions(transaction: &DatabaseTransaction, from: FeedId, into: FeedId) -> Result<()> {
    let sql = format!(
        "DELETE FROM rss_subscription WHERE feed_id = $1 AND id IN \
         (SELECT s.id FROM rss_subscription s WHERE s.feed_id = $1 AND {FOLLOWS_BOTH})"
    );
    execute(transaction, &sql, [from.into(), into.into()]).await?;
    let sql = "SELECT MAX(e.id) FROM feed_entry e WHERE e.feed_id IN ($1, $2)";
    let through = scalar(transaction, sql, [from.into(), into.into()]).await?;
    let sql = "UPDATE rss_subscription SET feed_id = $2, read_through = $3 WHERE feed_id = $1";
    execute(transaction, sql, [from.into(), into.into(), through.into()]).await?;
    Ok(())
}

/// Entries that only the moved feed had go along with their ids; the others have their twins there.
async fn move_entries(transaction: &DatabaseTransaction, from: FeedId, into: FeedId) -> Result<()> {
    let sql = "UPDATE feed_entry SET feed_id = $2 WHERE feed_id = $1 \
                AND NOT EXISTS (SELECT 1 FROM feed_entry b WHERE b.feed_id = $2 AND b.entry_key = feed_entry.entry_key)";
    execute(transaction, sql, [from.into(), into.into()]).await?;
    execute(transaction, "DELETE FROM feed_entry WHERE feed_id = $1", [from.into()]).await?;
    Ok(())
}

async fn wake(transaction: &DatabaseTransaction, now: Millis, feed_id: FeedId) -> Result<()> {
    let sql = "UPDATE feed SET next_poll_at = $1 WHERE id = $2 AND next_poll_at IS NULL AND NOT gone";
    execute(transaction, sql, [now.into(), feed_id.into()]).await?;
    Ok(())
}
