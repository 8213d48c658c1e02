//! Feeds that an account followed in the past.
//!
//! If a feed moved, its id is resolved to its successor, and its entries are listed there for the accounts
//! that followed it. The read state of an unfollowed feed and its position in the event log are retained for
//! 30 days, and restored if the account follows the feed again.

mod sql;

use entities::ids::{AccountId, EntryId, FeedId, SubscriptionId};
use entities::rss_former_feed::{ActiveModel, Column, Entity, Model};
use entities::{rss_entry_mark, rss_subscription};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use kernel::clock::DAY;
use kernel::{Millis, Result};

pub(super) use sql::current_ids;

/// Retention of the read state of an unfollowed feed, in milliseconds.
const RETENTION_MS: Millis = 30 * DAY;

/// Read state of a feed that an account begins to follow, and its position in the event log.
#[derive(Clone, Copy, Debug)]
pub(super) struct FollowState {
    /// Entries up to this id are read, unless marked otherwise.
    pub(super) read_through: EntryId,
    /// Events of the feed after this sequence number are visible, so that pending events stay pending.
    pub(super) followed_sequence: i64,
}

/// Resolves a feed id. Returns the feed to which the account was moved from this feed, or the feed itself.
pub(super) async fn current_id(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    feed_id: Option<FeedId>,
) -> Result<Option<FeedId>> {
    let Some(feed_id) = feed_id else { return Ok(None) };
    let moved = current_ids(connection, account_id, &[feed_id]).await?;
    Ok(Some(moved.get(&feed_id).copied().unwrap_or(feed_id)))
}

/// Returns the retained state of a feed that the account followed before, and deletes it. `None` if there is
/// none or if it has expired. The marks of the feed belong to the new subscription from now on.
pub(super) async fn restore(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    feed_id: FeedId,
    now: Millis,
) -> Result<Option<FollowState>> {
    let Some(row) = Entity::owned_by(account_id).filter(Column::FeedId.eq(feed_id)).one(connection).await?
    else {
        return Ok(None);
    };
    delete(connection, account_id, feed_id).await?;
    if row.subscription_id.is_some() || now - row.ended_at <= RETENTION_MS {
        let Model { read_through, followed_sequence, .. } = row;
        return Ok(Some(FollowState { read_through, followed_sequence }));
    }
    rss_entry_mark::Entity::delete_many()
        .filter(rss_entry_mark::Column::AccountId.eq(account_id))
        .filter(rss_entry_mark::Column::FeedId.eq(feed_id))
        .exec(connection)
        .await?;
    Ok(None)
}

/// Returns the feed of a monitor with this URL that the account unfollowed in the last 30 days.
pub(super) async fn find_monitor(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    url: &str,
    now: Millis,
) -> Result<Option<FeedId>> {
    sql::find_monitor(connection, account_id, url, now - RETENTION_MS).await
}

/// Deletes the retained read state of feeds that were unfollowed more than 30 days ago.
pub(super) async fn delete_expired(connection: &impl ConnectionTrait, now: Millis) -> Result<()> {
    sql::delete_before(connection, now - RETENTION_MS).await?;
    Ok(())
}

/// Lists the entries of feeds that moved to this feed under the new subscription to it. Their pending events
/// stay pending.
pub(super) async fn attach_previous_entries(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    feed_id: FeedId,
    subscription_id: SubscriptionId,
) -> Result<()> {
    let listed = ActiveModel { subscription_id: Set(Some(subscription_id)), ..Default::default() };
    Entity::update_many()
        .set(listed)
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::IntoFeedId.eq(feed_id))
        .exec(connection)
        .await?;
    Ok(())
}

/// Retains the read state of a feed that its follower unfollows, and of the previous feeds that are listed
/// under it.
pub(super) async fn retain(
    connection: &impl ConnectionTrait,
    now: Millis,
    subscription: &rss_subscription::Model,
) -> Result<()> {
    retain_all(connection, now, subscription.account_id, &[(subscription.id, subscription.feed_id)]).await
}

/// Like [`retain`], but for several subscriptions, each with its feed.
pub(super) async fn retain_all(
    connection: &impl ConnectionTrait,
    now: Millis,
    account_id: AccountId,
    subscriptions: &[(SubscriptionId, FeedId)],
) -> Result<()> {
    if subscriptions.is_empty() {
        return Ok(());
    }
    let ended = ActiveModel { subscription_id: Set(None), ended_at: Set(now), ..Default::default() };
    Entity::update_many()
        .set(ended)
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::SubscriptionId.is_in(subscriptions.iter().map(|(id, _)| *id)))
        .exec(connection)
        .await?;
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::FeedId.is_in(subscriptions.iter().map(|(_, feed_id)| *feed_id)))
        .exec(connection)
        .await?;
    sql::retain(connection, now, account_id, subscriptions).await
}

/// Returns true if the read state of a previous follower of the feed is retained.
pub(super) async fn has_previous_followers(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
) -> Result<bool> {
    Ok(Entity::find().filter(Column::FeedId.eq(feed_id)).one(connection).await?.is_some())
}

/// Returns the previous feed `feed_id` if it is listed under this subscription.
pub(super) async fn find_listed(
    connection: &impl ConnectionTrait,
    subscription: &rss_subscription::Model,
    feed_id: FeedId,
) -> Result<Option<Model>> {
    let row = Entity::owned_by(subscription.account_id)
        .filter(Column::FeedId.eq(feed_id))
        .filter(Column::SubscriptionId.eq(subscription.id));
    Ok(row.one(connection).await?)
}

/// Records the feed of a subscription as a previous feed, with the feed to which the subscription moves and
/// the last entry that remains listed.
pub(super) async fn record(
    connection: &impl ConnectionTrait,
    now: Millis,
    subscription: &rss_subscription::Model,
    (into, last_entry_id): (FeedId, EntryId),
) -> Result<()> {
    delete(connection, subscription.account_id, subscription.feed_id).await?;
    let row = ActiveModel {
        account_id: Set(subscription.account_id),
        feed_id: Set(subscription.feed_id),
        into_feed_id: Set(Some(into)),
        subscription_id: Set(Some(subscription.id)),
        read_through: Set(subscription.read_through),
        last_entry_id: Set(last_entry_id),
        ended_at: Set(now),
        followed_sequence: Set(subscription.followed_sequence),
    };
    Entity::insert(row).exec_without_returning(connection).await?;
    Ok(())
}

/// Deletes the record that the account followed a feed in the past.
pub(super) async fn delete(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    feed_id: FeedId,
) -> Result<()> {
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::FeedId.eq(feed_id))
        .exec(connection)
        .await?;
    Ok(())
}
