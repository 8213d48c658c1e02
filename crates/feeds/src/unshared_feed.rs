//! Feeds of a single account. A subscription whose requests have their own user agent or headers must not share its
//! entries with other accounts, because a server may respond to them with different entries. The same applies to a
//! subscription whose entries are rewritten.

use entities::feed;
use entities::ids::{AccountId, FeedId, SubscriptionId};
use entities::rss_subscription::{self, Column};
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use super::addresses::{NewFeedAddress, find_feed_of_key, find_or_create_feed};
use super::internal_feed::is_internal;
use super::login::{self, SealedLogin};
use super::relocation;
use super::rewrites::{self, Rewrite};
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
    let current = followed_feed(transaction, (account_id, id)).await?;
    if is_internal(transaction, current.id).await? {
        return Err(Error::invalid_field("headers", "cannot be sent: this feed is not fetched"));
    }
    if login::address_key(account_id, &current.url)? != sealed.address_key {
        // The secrets are valid only for the address for which they were entered.
        let message = "The address of this feed has changed. Open it again, and repeat the change.";
        return Err(Error::new(Code::ConflictingChanges, message).at("headers", "are for another address"));
    }
    if login::is_stored(transaction, current.id).await? {
        login::store(transaction, current.id, sealed).await?;
        return fetch_again(transaction, now, current.id).await;
    }
    let own = create(transaction, now, account_id, (&current, &sealed.address_key)).await?;
    login::store(transaction, own, sealed).await?;
    relocation::move_one(transaction, now, (account_id, id), (current.id, own)).await
}

/// Changes the rewrite rules of a subscription, in a transaction that has locked the account. A subscription to a
/// shared feed is moved as for a change of its requests. The caller has checked the rules.
pub(super) async fn change_rewrites(
    transaction: &DatabaseTransaction,
    now: Millis,
    (account_id, id): (AccountId, SubscriptionId),
    rules: &[Rewrite],
) -> Result<()> {
    let current = followed_feed(transaction, (account_id, id)).await?;
    let key = login::address_key(account_id, &current.url)?;
    let is_own = login::is_stored(transaction, current.id).await?;
    if rules.is_empty() && !is_own {
        return Ok(());
    }
    if is_internal(transaction, current.id).await? {
        return Err(rewrites::not_fetched());
    }
    if is_own {
        return login::store_rewrites(transaction, current.id, &key, rules).await;
    }
    let own = create(transaction, now, account_id, (&current, &key)).await?;
    login::store_rewrites(transaction, own, &key, rules).await?;
    relocation::move_one(transaction, now, (account_id, id), (current.id, own)).await
}

/// Returns the feed of a subscription.
async fn followed_feed(
    transaction: &DatabaseTransaction,
    (account_id, id): (AccountId, SubscriptionId),
) -> Result<feed::Model> {
    let row = rss_subscription::Entity::owned_by(account_id).filter(Column::Id.eq(id));
    let row = row.one(transaction).await?.ok_or_else(|| not_found("subscription"))?;
    let current = feed::Entity::find_by_id(row.feed_id).one(transaction).await?;
    current.ok_or_else(|| not_found("feed"))
}

/// Creates the feed of the account at the address of a shared feed.
///
/// # Errors
/// `conflicting_changes` if the account also follows that feed.
async fn create(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    (shared, key): (&feed::Model, &str),
) -> Result<FeedId> {
    let new = NewFeedAddress { key, url: &shared.url, title: shared.title.as_deref() };
    let own = find_or_create_feed(transaction, now, new).await?;
    let other = rss_subscription::Entity::owned_by(account_id).filter(Column::FeedId.eq(own));
    if other.one(transaction).await?.is_some() {
        let message = "You also follow this feed with a login or headers. Change that subscription instead.";
        return Err(
            Error::new(Code::ConflictingChanges, message).at("headers", "are set on another subscription")
        );
    }
    Ok(own)
}

/// Returns the account's subscription to its own feed at an address, if that feed differs from the shared feed only in
/// its rewrite rules. Following the address again would list its entries twice.
pub(super) async fn find_rewritten(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    url: &str,
) -> Result<Option<rss_subscription::Model>> {
    let key = login::address_key(account_id, url)?;
    let Some(feed_id) = find_feed_of_key(connection, &key).await? else { return Ok(None) };
    if !login::is_stored(connection, feed_id).await? || login::has_own_request(connection, feed_id).await? {
        return Ok(None);
    }
    let existing = rss_subscription::Entity::owned_by(account_id).filter(Column::FeedId.eq(feed_id));
    Ok(existing.one(connection).await?)
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
