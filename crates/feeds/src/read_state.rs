//! Read state of an account: a watermark per subscription, and marks for the entries that differ from it.
//! Every change locks the subscriptions that it affects, so concurrent changes are serialised. Counts are
//! computed from the rows and cannot drift.

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

/// Upper bound of marking, so that entries the person has not seen yet stay unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBound {
    /// Only entries discovered before this time.
    DiscoveredBefore(Millis),
    /// Only entries up to this one.
    Through(EntryId),
}

/// Request to mark everything up to a bound as read.
#[derive(Clone, Copy, Debug)]
pub struct MarkRead {
    pub scope: ReadScope,
    pub bound: ReadBound,
}

/// Marks entries read or unread. Returns how many were marked, and how many ids are not visible to the
/// account. The statistics of their feeds count entries that become read.
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

/// Marks entries within a transaction, without counting them in the statistics. Returns how many were marked.
pub(super) async fn mark_in(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    ids: &[EntryId],
    unread: bool,
) -> Result<u64> {
    sql::lock_for_entries(transaction, account_id, ids).await?;
    sql::mark(transaction, account_id, ids, unread).await
}

/// Marks all entries up to a bound as read. Returns how many were unread before.
///
/// # Errors
/// `not_found` for a feed that is not followed or a collection of another account.
#[boxed]
pub async fn mark_read(domain: &Domain, account_id: AccountId, request: MarkRead) -> Result<u64> {
    let transaction = domain.db().begin().await?;
    let scope = match request.scope {
        ReadScope::Feed(id) => {
            let feed_id = previous_feeds::current_id(&transaction, account_id, Some(id)).await?;
            EntryScope { feed_id, collection_id: None }
        }
        ReadScope::Collection(id) => {
            collections::require(&transaction, account_id, id).await?;
            EntryScope { feed_id: None, collection_id: Some(id) }
        }
        ReadScope::All => EntryScope::default(),
    };
    if sql::lock(&transaction, account_id, scope).await? == 0 && scope.feed_id.is_some() {
        return Err(not_found("followed feed"));
    }
    let through = match request.bound {
        ReadBound::DiscoveredBefore(time) => sql::last_before(&transaction, time).await?,
        // The watermark never passes the newest entry: ids that are not assigned yet must stay unread.
        ReadBound::Through(id) => id.min(sql::last(&transaction).await?),
    };
    let updated = sql::count_unread_through(&transaction, account_id, scope, through).await?;
    sql::read_through(&transaction, account_id, scope, through).await?;
    transaction.commit().await?;
    Ok(u64::try_from(updated).unwrap_or(0))
}
