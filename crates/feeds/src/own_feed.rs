//! Feeds of a single account. A subscription whose requests have their own user agent or headers must not
//! share its entries with other accounts, because a server may respond to them with different entries.

use entities::feed;
use entities::ids::{AccountId, FeedId, SubscriptionId};
use entities::rss_subscription::{self, Column};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use super::addresses::{NewFeed, find_or_create_feed};
use super::internal_feed::is_internal;
use super::login::{self, SealedLogin};
use super::relocation;
use super::schedule::REFRESH_PAUSE;
use kernel::error::not_found;
use kernel::statement::execute;
use kernel::{Code, Error, Millis, Result};

/// Changes the user agent and headers of a subscription, in a transaction that has locked the account. A
/// subscription to a shared feed is moved, with its read state, to a feed of its own.
pub(super) async fn change_request(
    transaction: &DatabaseTransaction,
    now: Millis,
    (account_id, id): (AccountId, SubscriptionId),
    sealed: &SealedLogin,
) -> Result<()> {
    let row = rss_subscription::Entity::owned_by(account_id).filter(Column::Id.eq(id));
    let row = row.one(transaction).await?.ok_or_else(|| not_found("subscription"))?;
    if is_internal(transaction, row.feed_id).await? {
        return Err(Error::invalid_field("headers", "cannot be sent: this feed is not fetched"));
    }
    let current = feed::Entity::find_by_id(row.feed_id).one(transaction).await?;
    let current = current.ok_or_else(|| not_found("feed"))?;
    if login::address_key(account_id, &current.url)? != sealed.address_key {
        // The secrets are valid only for the address for which they were entered.
        let message = "The address of this feed has changed. Open it again, and repeat the change.";
        return Err(Error::new(Code::ConflictingChanges, message).at("headers", "are for another address"));
    }
    if login::is_stored(transaction, row.feed_id).await? {
        login::store(transaction, row.feed_id, sealed).await?;
        return fetch_again(transaction, now, row.feed_id).await;
    }
    let new = NewFeed { key: &sealed.address_key, url: &current.url, title: current.title.as_deref() };
    let own = find_or_create_feed(transaction, now, new).await?;
    let other = rss_subscription::Entity::owned_by(account_id).filter(Column::FeedId.eq(own));
    if other.one(transaction).await?.is_some() {
        let message = "You also follow this feed with a login or headers. Change that subscription instead.";
        return Err(
            Error::new(Code::ConflictingChanges, message).at("headers", "are set on another subscription")
        );
    }
    login::store(transaction, own, sealed).await?;
    relocation::move_one(transaction, now, (account_id, id), (row.feed_id, own)).await
}

/// Discards the data about the last response, because the server may respond differently to the changed
/// requests. Makes the feed due, as often as a manual refresh is allowed.
async fn fetch_again(transaction: &DatabaseTransaction, now: Millis, feed_id: FeedId) -> Result<()> {
    let sql = "UPDATE feed SET etag = NULL, last_modified = NULL, body_hash = 0 WHERE id = $1";
    execute(transaction, sql, [feed_id.into()]).await?;
    let sql = "UPDATE feed SET refreshed_at = $1, next_poll_at = $1 WHERE id = $2 AND next_poll_at > $1 \
               AND (refreshed_at IS NULL OR refreshed_at <= $3)";
    execute(transaction, sql, [now.into(), feed_id.into(), (now - REFRESH_PAUSE).into()]).await?;
    Ok(())
}
