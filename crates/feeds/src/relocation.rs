//! Relocation of a feed that has moved: only its followers are moved to the feed at the new address.
//!
//! The feed at the new address is a separate row, which may already exist. Entries that only the old feed has
//! remain there, and are listed under the new feed only for accounts that followed the old feed. Otherwise,
//! the owner of one address could insert entries into the feed of another owner.
//!
//! The old feed retains its address. It is checked from time to time, and whenever an account follows it. If
//! it no longer redirects, it becomes an independent feed again.

mod sql;

use entities::ids::{AccountId, EntryId, FeedId, SubscriptionId};
use entities::{feed, feed_hub, rss_former_feed, rss_subscription};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, ModelTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::addresses::{NewFeedAddress, find_or_create_feed, key_of, poll_soon};
use super::dedup;
use super::log;
use super::order::lock_order;
use super::previous_feeds;
use super::redirects::Move;
use super::rules;
use super::schedule::spread;
use super::sql::{last_entry, stop_polling_unfollowed};
use kernel::clock::DAY;
use kernel::error::not_found;
use kernel::{Domain, Millis, Result};

/// Interval, in milliseconds, at which a feed that moved is checked for its redirect.
pub(super) const RECHECK_INTERVAL: Millis = 30 * DAY;

/// Moves the followers of a feed to the feed at its new address, if it still redirects there. Repeating a
/// move has no further effect.
///
/// # Errors
/// `Unavailable` or `Internal` if the database fails. The next poll of the old feed tries again.
pub(super) async fn relocate(domain: &Domain, Move { from, to }: Move) -> Result<()> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let key = key_of(&to)?;
    let into =
        find_or_create_feed(&transaction, now, NewFeedAddress { key: &key, url: &to, title: None }).await?;
    // Lock the feeds in id order, so that two concurrent moves cannot deadlock.
    let feeds = feed::Entity::find()
        .filter(feed::Column::Id.is_in([from, into]))
        .order_by_asc(feed::Column::Id)
        .lock_exclusive()
        .all(&transaction)
        .await?;
    let Some(moved) = feeds.into_iter().find(|feed| feed.id == from && feed.moving_to.as_ref() == Some(&to))
    else {
        return Ok(());
    };
    if from == into {
        take_over_address(&transaction, from, &to).await?;
        transaction.commit().await?;
        return Ok(());
    }
    if sql::lock_subscriptions(&transaction, from, into).await? == 0 {
        return Ok(());
    }
    lock_order(&transaction).await?;
    let (last_from, last_into) =
        (last_entry(&transaction, from).await?, last_entry(&transaction, into).await?);
    dedup::record_duplicates(&transaction, from, into, EntryId::new(0)).await?;
    dedup::record_duplicates(&transaction, into, from, EntryId::new(0)).await?;
    sql::copy_read_state(&transaction, from, into).await?;
    sql::record_previous_feed(&transaction, sql::MovedFeed { from, into, last_from, now }).await?;
    sql::move_subscriptions(&transaction, sql::MovedSubscriptions { from, into, last_into, now }).await?;
    retire(&transaction, moved, into, last_from, now).await?;
    activate(&transaction, into, now).await?;
    log::record_move(&transaction, now, from, into).await?;
    transaction.commit().await?;
    tracing::info!(%from, %into, "feed moved");
    Ok(())
}

/// Updates the address of a feed whose new address is another spelling of the old one, usually with another
/// scheme.
async fn take_over_address(transaction: &DatabaseTransaction, feed_id: FeedId, url: &str) -> Result<()> {
    let row = feed::ActiveModel {
        id: Set(feed_id),
        url: Set(url.to_owned()),
        host: Set(extract::feed::site(url).unwrap_or_default()),
        moving_to: Set(None),
        moving_count: Set(0),
        moving_since: Set(None),
        ..Default::default()
    };
    row.update(transaction).await?;
    Ok(())
}

/// Makes the old feed a redirected feed, whose entries no longer change. Accounts that declined the move
/// still follow it.
async fn retire(
    transaction: &DatabaseTransaction,
    feed: feed::Model,
    into: FeedId,
    last_entry: EntryId,
    now: Millis,
) -> Result<()> {
    let followed = rss_subscription::Entity::find().filter(rss_subscription::Column::FeedId.eq(feed.id));
    let is_followed = followed.one(transaction).await?.is_some();
    let mut row = feed::ActiveModel { id: Set(feed.id), ..Default::default() };
    row.fixed_through = Set(last_entry.max(feed.fixed_through));
    if !is_followed {
        row.successor_id = Set(Some(into));
        row.next_poll_at = Set(Some(now + RECHECK_INTERVAL + spread(feed.id.as_i64(), DAY)));
        row.etag = Set(None);
        row.last_modified = Set(None);
        feed_hub::Entity::delete_by_id(feed.id).exec(transaction).await?;
    }
    row.update(transaction).await?;
    Ok(())
}

/// Activates polling of the feed at the new address.
async fn activate(transaction: &DatabaseTransaction, feed_id: FeedId, now: Millis) -> Result<()> {
    poll_soon(transaction, now, feed_id).await?;
    let row = feed::ActiveModel {
        id: Set(feed_id),
        successor_id: Set(None),
        joined_at: Set(Some(now)),
        ..Default::default()
    };
    row.update(transaction).await?;
    Ok(())
}

/// Moves one subscription to a feed that no other account follows. As after a move of the feed, entries of
/// the previous feed remain listed, and duplicates retain their read state.
///
/// # Errors
/// `not_found` if the subscription no longer follows `from`.
pub(super) async fn move_one(
    transaction: &DatabaseTransaction,
    now: Millis,
    (account_id, id): (AccountId, SubscriptionId),
    (from, into): (FeedId, FeedId),
) -> Result<()> {
    // Lock feeds before subscriptions, as in `relocate`.
    let feeds = feed::Entity::find().filter(feed::Column::Id.is_in([from, into]));
    feeds.order_by_asc(feed::Column::Id).lock_exclusive().all(transaction).await?;
    let subscription = rss_subscription::Entity::owned_by(account_id)
        .filter(rss_subscription::Column::Id.eq(id))
        .filter(rss_subscription::Column::FeedId.eq(from))
        .lock_exclusive()
        .one(transaction)
        .await?
        .ok_or_else(|| not_found("subscription"))?;
    lock_order(transaction).await?;
    let (last_from, last_into) = (last_entry(transaction, from).await?, last_entry(transaction, into).await?);
    dedup::record_duplicates(transaction, from, into, EntryId::new(0)).await?;
    dedup::record_duplicates(transaction, into, from, EntryId::new(0)).await?;
    sql::copy_unread(transaction, &subscription, into).await?;
    previous_feeds::delete(transaction, account_id, into).await?;
    previous_feeds::record(transaction, now, &subscription, (into, last_from)).await?;
    let row = rss_subscription::ActiveModel {
        id: Set(id),
        feed_id: Set(into),
        read_through: Set(last_into),
        moved_from_id: Set(None),
        moved_at: Set(None),
        declined_feed_id: Set(None),
        followed_sequence: Set(log::last(transaction).await?),
        ..Default::default()
    };
    row.update(transaction).await?;
    stop_polling_unfollowed(transaction, &[from]).await?;
    activate(transaction, into, now).await
}

/// Undoes a move for one follower. The account follows the old feed again, with the read state of both feeds,
/// and is not moved to the same feed again.
pub(super) async fn undo(
    transaction: &DatabaseTransaction,
    now: Millis,
    subscription: &rss_subscription::Model,
    old: rss_former_feed::Model,
) -> Result<()> {
    let (account_id, from, to) = (subscription.account_id, subscription.feed_id, old.feed_id);
    sql::restore_read_state(transaction, subscription, to).await?;
    previous_feeds::retain(transaction, now, subscription).await?;
    previous_feeds::attach_previous_entries(transaction, account_id, to, subscription.id).await?;
    follow_instead(transaction, subscription.id, &old, from).await?;
    old.delete(transaction).await?;
    stop_polling_unfollowed(transaction, &[from]).await?;
    poll_soon(transaction, now, to).await?;
    tracing::info!(%account_id, %from, %to, "feed move undone");
    Ok(())
}

async fn follow_instead(
    transaction: &DatabaseTransaction,
    id: SubscriptionId,
    old: &rss_former_feed::Model,
    declined: FeedId,
) -> Result<()> {
    let row = rss_subscription::ActiveModel {
        id: Set(id),
        feed_id: Set(old.feed_id),
        read_through: Set(old.read_through),
        followed_sequence: Set(old.followed_sequence),
        moved_from_id: Set(None),
        moved_at: Set(None),
        declined_feed_id: Set(Some(declined)),
        ..Default::default()
    };
    row.update(transaction).await?;
    Ok(())
}

/// Sets the read state of entries that arrived after `after` in a feed to which followers of other feeds were
/// moved. For each of these followers, entries that the old feed also contained receive the read state that
/// they had there.
pub(super) async fn apply_previous_read_state(
    transaction: &DatabaseTransaction,
    feed: &feed::Model,
    now: Millis,
    after: EntryId,
) -> Result<()> {
    if feed.joined_at.is_none_or(|at| now - at > RECHECK_INTERVAL) {
        return Ok(());
    }
    for from in sql::moved_into(transaction, feed.id).await? {
        dedup::record_duplicates(transaction, from, feed.id, after).await?;
    }
    if feed.last_fetched_at.is_none() {
        // The first entries of the new feed are older than any entry that moved followers have seen.
        let last = last_entry(transaction, feed.id).await?;
        sql::read_through(transaction, feed.id, last).await?;
    }
    sql::apply_previous_state(transaction, feed.id, after).await?;
    rules::withdraw_duplicates(transaction, feed.id, after).await
}
