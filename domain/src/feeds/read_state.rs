//! What an account has read: a watermark in each subscription, and marks for the entries that differ
//! from it. Every change holds the rows of the subscriptions it touches, so that two at once come out as
//! one after the other; counts are taken from the rows and cannot drift.

use entities::ids::{AccountId, CollectionId, EntryId, FeedId, SubscriptionId};
use sea_orm::{ConnectionTrait, Value};

use super::collections;
use super::rows::{execute, for_update, not_found, placeholders, scalar_optional, statement, unread_total};
use crate::clock::Millis;
use crate::error::Result;
use crate::handle::Domain;

/// What is to be marked as read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadScope {
    /// One feed.
    Feed(FeedId),
    /// The feeds of one collection.
    Collection(CollectionId),
    /// Everything that is followed.
    All,
}

/// Marks everything that was discovered before a time as read.
#[derive(Clone, Copy, Debug)]
pub struct MarkRead {
    /// What.
    pub scope: ReadScope,
    /// Only entries discovered before this time, so that what arrived since stays unread.
    pub discovered_before: Millis,
}

/// Marks single entries read or unread. Tells how many there were and how many ids were none of the
/// account's.
pub async fn mark_entries(
    domain: &Domain,
    account_id: AccountId,
    ids: &[EntryId],
    unread: bool,
) -> Result<(u64, u64)> {
    let mut wanted = ids.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    let transaction = domain.db().begin().await?;
    let sql = format!(
        "SELECT e.id, e.feed_id FROM feed_entry e JOIN rss_subscription s ON s.feed_id = e.feed_id \
         WHERE s.account_id = $1 AND e.id IN ({}) ORDER BY s.id, e.id{}",
        placeholders(2, wanted.len()),
        for_update(&transaction, "s")
    );
    let mut values: Vec<Value> = vec![account_id.into()];
    values.extend(wanted.iter().map(|id| (*id).into()));
    let rows = transaction.query_all_raw(statement(&transaction, &sql, values)).await?;
    for row in &rows {
        let (entry_id, feed_id): (EntryId, FeedId) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let sql = "INSERT INTO rss_entry_mark (account_id, feed_id, entry_id, unread) VALUES ($1, $2, $3, $4) \
                    ON CONFLICT (account_id, feed_id, entry_id) DO UPDATE SET unread = excluded.unread";
        execute(&transaction, sql, [account_id.into(), feed_id.into(), entry_id.into(), unread.into()])
            .await?;
    }
    transaction.commit().await?;
    let updated = rows.len() as u64;
    Ok((updated, wanted.len() as u64 - updated))
}

/// Marks many entries read at once; tells how many were unread before.
///
/// # Errors
/// `not_found` for a feed that is not followed or a collection that is not the account's.
pub async fn mark_read(domain: &Domain, account_id: AccountId, request: MarkRead) -> Result<u64> {
    let (feed_id, collection_id) = match request.scope {
        ReadScope::Feed(id) => (Some(id), None),
        ReadScope::Collection(id) => (None, Some(id)),
        ReadScope::All => (None, None),
    };
    let transaction = domain.db().begin().await?;
    if let Some(collection_id) = collection_id {
        collections::require(&transaction, account_id, collection_id).await?;
    }
    let sql = format!(
        "SELECT s.id, s.feed_id, s.read_through FROM rss_subscription s WHERE s.account_id = $1 \
         AND ($2 = 0 OR s.feed_id = $2) AND ($3 = 0 OR s.collection_id = $3) ORDER BY s.id{}",
        for_update(&transaction, "s")
    );
    let values = [
        account_id.into(),
        feed_id.map_or(0, FeedId::as_i64).into(),
        collection_id.map_or(0, CollectionId::as_i64).into(),
    ];
    let rows = transaction.query_all_raw(statement(&transaction, &sql, values)).await?;
    if rows.is_empty() && feed_id.is_some() {
        return Err(not_found("followed feed"));
    }
    let before = unread_total(&transaction, account_id, feed_id, collection_id).await?;
    for row in rows {
        let (id, feed_id, read_through): (SubscriptionId, FeedId, EntryId) =
            (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
        let sql =
            "SELECT id FROM feed_entry WHERE feed_id = $1 AND discovered_at < $2 ORDER BY id DESC LIMIT 1";
        let values = [feed_id.into(), request.discovered_before.into()];
        let Some(through) = scalar_optional::<EntryId>(&transaction, sql, values).await? else { continue };
        let sql = "DELETE FROM rss_entry_mark WHERE account_id = $1 AND feed_id = $2 AND entry_id <= $3";
        execute(&transaction, sql, [account_id.into(), feed_id.into(), through.into()]).await?;
        if through > read_through {
            let sql = "UPDATE rss_subscription SET read_through = $1 WHERE id = $2";
            execute(&transaction, sql, [through.into(), id.into()]).await?;
        }
    }
    let after = unread_total(&transaction, account_id, feed_id, collection_id).await?;
    transaction.commit().await?;
    Ok(u64::try_from(before - after).unwrap_or(0))
}
