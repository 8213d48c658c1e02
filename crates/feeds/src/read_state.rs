//! Read state of an account: a watermark per subscription, and marks for the entries that differ from it.
//! Each change locks the affected subscriptions, so concurrent changes are serialized. Counts are computed
//! from these rows and therefore cannot drift.

mod sql;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, CollectionId, EntryId, FeedId};

use sea_orm::DatabaseTransaction;

use super::collections;
use super::entry_scope::EntryScope;
use super::previous_feeds;
use super::statistics;
use kernel::error::not_found;
use kernel::{Domain, Millis, Result};

/// Entries to mark as read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadScope {
    /// Entries of one feed.
    Feed(FeedId),
    /// Entries of the feeds in one collection.
    Collection(CollectionId),
    /// Entries of all followed feeds.
    All,
}

/// Upper bound of the entries to mark, so that entries that the user has not seen yet remain unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBound {
    /// Only entries discovered before this time.
    DiscoveredBefore(Millis),
    /// Only entries with ids up to this id.
    Through(EntryId),
}

/// Request to mark all entries in a scope up to a bound as read.
#[derive(Clone, Copy, Debug)]
pub struct MarkRead {
    pub scope: ReadScope,
    pub bound: ReadBound,
}

/// Marks entries as read or unread. Returns the number of marked entries, and the number of ids that are not
/// visible to the account. Entries that become read are counted in the statistics of their feeds.
#[boxed]
pub async fn mark_entries(
    domain: &Domain,
    account_id: AccountId,
    ids: &[EntryId],
    unread: bool,
) -> Result<(u64, u64)> {
    let mut distinct = ids.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.is_empty() {
        return Ok((0, 0));
    }
    let transaction = domain.db().begin().await?;
    sql::lock_for_entries(&transaction, account_id, &distinct).await?;
    if !unread {
        statistics::count_read(&transaction, domain.now(), account_id, &distinct).await?;
    }
    let updated = sql::mark(&transaction, account_id, &distinct, unread).await?;
    transaction.commit().await?;
    Ok((updated, distinct.len() as u64 - updated))
}

/// Marks entries within a transaction, without counting them in the statistics. Returns the number of marked
/// entries.
pub(super) async fn mark_in(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    ids: &[EntryId],
    unread: bool,
) -> Result<u64> {
    sql::lock_for_entries(transaction, account_id, ids).await?;
    sql::mark(transaction, account_id, ids, unread).await
}

/// Marks all entries up to a bound as read. Returns the number of entries that were unread before.
///
/// # Errors
/// `not_found` if the feed is not followed, or if the collection belongs to another account.
#[boxed]
pub async fn mark_read(domain: &Domain, account_id: AccountId, request: MarkRead) -> Result<u64> {
    let transaction = domain.db().begin().await?;
    let scope = match request.scope {
        ReadScope::Feed(id) => {
            let feed_id = previous_feeds::current_id(&transaction, account_id, Some(id)).await?;
            EntryScope { feed_id, collection_id: None }
        }
        ReadScope::Collection(id) => {
            collections::check_exists(&transaction, account_id, id).await?;
            EntryScope { feed_id: None, collection_id: Some(id) }
        }
        ReadScope::All => EntryScope::default(),
    };
    if sql::lock(&transaction, account_id, scope).await? == 0 && scope.feed_id.is_some() {
        return Err(not_found("followed feed"));
    }
    let through = match request.bound {
        ReadBound::DiscoveredBefore(time) => sql::last_before(&transaction, time).await?,
        // The watermark never exceeds the newest entry, because entries whose ids are not assigned yet must
        // remain unread.
        ReadBound::Through(id) => id.min(sql::last(&transaction).await?),
    };
    let updated = sql::count_unread_through(&transaction, account_id, scope, through).await?;
    sql::read_through(&transaction, account_id, scope, through).await?;
    transaction.commit().await?;
    Ok(u64::try_from(updated).unwrap_or(0))
}
