//! What an account has read: a watermark in each subscription, and marks for the entries that differ
//! from it. Every change holds the rows of the subscriptions it touches, so that two at once come out as
//! one after the other; counts are taken from the rows and cannot drift.

mod sql;

use entities::ids::{AccountId, CollectionId, EntryId, FeedId};

use sea_orm::DatabaseTransaction;

use super::collections;
use super::former;
use super::sources::Extent;
use kernel::clock::Millis;
use kernel::error::Result;
use kernel::error::not_found;
use kernel::handle::Domain;

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

/// Up to where things are marked as read, so that what nobody has seen yet stays unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBound {
    /// Only entries discovered before this time.
    DiscoveredBefore(Millis),
    /// Only entries up to this one.
    Through(EntryId),
}

/// Marks everything up to a bound as read.
#[derive(Clone, Copy, Debug)]
pub struct MarkRead {
    /// What.
    pub scope: ReadScope,
    /// Up to where.
    pub bound: ReadBound,
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
    let updated = mark_in(&transaction, account_id, &wanted, unread).await?;
    transaction.commit().await?;
    Ok((updated, wanted.len() as u64 - updated))
}

/// Marks single entries, as part of a transaction. Tells how many there were.
pub(super) async fn mark_in(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    ids: &[EntryId],
    unread: bool,
) -> Result<u64> {
    sql::lock_of_entries(transaction, account_id, ids).await?;
    sql::mark(transaction, account_id, ids, unread).await
}

/// Marks many entries read at once; tells how many were unread before.
///
/// # Errors
/// `not_found` for a feed that is not followed or a collection that is not the account's.
pub async fn mark_read(domain: &Domain, account_id: AccountId, request: MarkRead) -> Result<u64> {
    let transaction = domain.db().begin().await?;
    let extent = match request.scope {
        ReadScope::Feed(id) => {
            let feed_id = former::current_id(&transaction, account_id, Some(id)).await?;
            Extent { feed_id, collection_id: None }
        }
        ReadScope::Collection(id) => {
            collections::require(&transaction, account_id, id).await?;
            Extent { feed_id: None, collection_id: Some(id) }
        }
        ReadScope::All => Extent::default(),
    };
    if sql::lock(&transaction, account_id, extent).await? == 0 && extent.feed_id.is_some() {
        return Err(not_found("followed feed"));
    }
    let through = match request.bound {
        ReadBound::DiscoveredBefore(time) => sql::last_before(&transaction, time).await?,
        // Ids that are still to be given are nobody's to mark.
        ReadBound::Through(id) => id.min(sql::last(&transaction).await?),
    };
    let updated = sql::count_unread_through(&transaction, account_id, extent, through).await?;
    sql::read_through(&transaction, account_id, extent, through).await?;
    transaction.commit().await?;
    Ok(u64::try_from(updated).unwrap_or(0))
}
