//! What happens when a feed has moved: its followers go to the feed at the new address, and nothing else does. That
//! feed is a row of its own, known before or made now; entries that only the old feed had stay with the old feed,
//! and are listed under the new one for those who followed the old one, and for nobody else. Otherwise whoever owns
//! an address could put entries into the feed of another.
//!
//! The old feed keeps its own address. It is asked now and then, and when somebody follows it: when it leads
//! elsewhere no more, it is a feed of its own again.

mod sql;

use entities::ids::{EntryId, FeedId, SubscriptionId};
use entities::{feed, feed_hub, rss_former_feed, rss_subscription};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, ModelTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::addresses::{feed_at, wake};
use super::former;
use super::log;
use super::order::lock_order;
use super::redirects::Move;
use super::schedule::spread;
use super::sql::{last_entry, rest};
use super::twins;
use kernel::clock::{DAY, Millis};
use kernel::error::Result;
use kernel::handle::Domain;

/// A feed that moved is asked this seldom whether it still leads elsewhere.
pub(super) const ASKED_AGAIN: Millis = 30 * DAY;

/// Moves the followers of a feed to the feed at its new address, if its redirect still leads there. Doing it twice
/// does nothing twice.
///
/// # Errors
/// `Unavailable` and `Internal`; the next poll of the feed that moved leads here again.
pub(super) async fn relocate(domain: &Domain, Move { from, to }: Move) -> Result<()> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let into = feed_at(&transaction, now, &to, None).await?;
    // Always in this order, so that two moves that meet do not wait for each other.
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
    twins::pair(&transaction, from, into, EntryId::new(0)).await?;
    twins::pair(&transaction, into, from, EntryId::new(0)).await?;
    sql::carry_read_state(&transaction, from, into).await?;
    sql::keep_former(&transaction, sql::Moved { from, into, last_from, now }).await?;
    sql::move_subscriptions(&transaction, sql::Arrived { from, into, last_into, now }).await?;
    leave(&transaction, moved, into, last_from, now).await?;
    arrive(&transaction, into, now).await?;
    log::note_move(&transaction, now, from, into).await?;
    transaction.commit().await?;
    tracing::info!(%from, %into, "a feed moved: its followers follow the one at its new address");
    Ok(())
}

/// The feed's own address in another form: another scheme, as a rule.
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

/// The feed that moved is an address that leads elsewhere from now on; what it had does not change any more. Who
/// declined the move still follows it.
async fn leave(
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
        row.next_poll_at = Set(Some(now + ASKED_AGAIN + spread(feed.id.as_i64(), DAY)));
        row.etag = Set(None);
        row.last_modified = Set(None);
        feed_hub::Entity::delete_by_id(feed.id).exec(transaction).await?;
    }
    row.update(transaction).await?;
    Ok(())
}

/// The feed that was moved to is polled, whatever it was before.
async fn arrive(transaction: &DatabaseTransaction, feed_id: FeedId, now: Millis) -> Result<()> {
    wake(transaction, now, feed_id).await?;
    let row = feed::ActiveModel {
        id: Set(feed_id),
        successor_id: Set(None),
        joined_at: Set(Some(now)),
        ..Default::default()
    };
    row.update(transaction).await?;
    Ok(())
}

/// Undoes a move for one follower: the old feed is followed again, with what was read of it here and there, and the
/// follower is not moved to the same place again.
pub(super) async fn undo(
    transaction: &DatabaseTransaction,
    now: Millis,
    subscription: &rss_subscription::Model,
    old: rss_former_feed::Model,
) -> Result<()> {
    let (account_id, from, to) = (subscription.account_id, subscription.feed_id, old.feed_id);
    sql::carry_back(transaction, subscription, to).await?;
    former::keep(transaction, now, subscription).await?;
    former::list_under(transaction, account_id, to, subscription.id).await?;
    follow_instead(transaction, subscription.id, &old, from).await?;
    old.delete(transaction).await?;
    rest(transaction, &[from]).await?;
    wake(transaction, now, to).await?;
    tracing::info!(%account_id, %from, %to, "a follower undid the move of a feed");
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

/// Entries have arrived after `after` in a feed that followers of another one were moved to: what of them those know already is
/// as read as they left it there.
pub(super) async fn recognise(
    transaction: &DatabaseTransaction,
    feed: &feed::Model,
    now: Millis,
    after: EntryId,
) -> Result<()> {
    if feed.joined_at.is_none_or(|at| now - at > ASKED_AGAIN) {
        return Ok(());
    }
    for from in sql::moved_into(transaction, feed.id).await? {
        twins::pair(transaction, from, feed.id, after).await?;
    }
    if feed.last_fetched_at.is_none() {
        // What it held when they were moved is older than anything they were shown.
        let last = last_entry(transaction, feed.id).await?;
        sql::read_through(transaction, feed.id, last).await?;
    }
    sql::apply_former_state(transaction, feed.id, after).await?;
    Ok(())
}
