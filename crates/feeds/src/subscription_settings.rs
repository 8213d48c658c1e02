//! Settings of a subscription, used to undo a call that followed or unfollowed its feed.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, CollectionId, SubscriptionId};
use entities::rss_subscription::{self, Column};
use entities::{feed, rss_collection};
use extract::TextParts;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, QueryFilter};
use serde::{Deserialize, Serialize};

use super::follow::{Follow, follow_in};
use super::full_text;
use super::login;
use super::subscriptions::unfollow_in;
use identity::accounts;
use kernel::error::not_found;
use kernel::{Domain, Result};

/// Settings that a follower can change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubscriptionSettings {
    collection_id: CollectionId,
    title: Option<String>,
    interval_minutes: Option<i32>,
    full_text: bool,
    text_selector: Option<String>,
    /// Text form of removed parts.
    #[serde(default)]
    text_removals: Option<String>,
    read_after_days: Option<i32>,
    #[serde(default)]
    show_original: bool,
}

/// A subscription that can be restored after its removal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedSubscription {
    feed_url: String,
    settings: SubscriptionSettings,
}

impl SubscriptionSettings {
    fn of(row: rss_subscription::Model) -> Self {
        Self {
            collection_id: row.collection_id,
            title: row.title,
            interval_minutes: row.interval_minutes,
            full_text: row.full_text,
            text_selector: row.text_selector,
            text_removals: row.text_removals,
            read_after_days: row.read_after_days,
            show_original: row.show_original,
        }
    }
}

/// Settings of a subscription.
///
/// # Errors
/// `not_found` if the subscription does not exist.
#[boxed]
pub async fn subscription_settings(
    domain: &Domain,
    account_id: AccountId,
    id: SubscriptionId,
) -> Result<SubscriptionSettings> {
    let row = rss_subscription::Entity::owned_by(account_id).filter(Column::Id.eq(id));
    let row = row.one(domain.db().read()).await?.ok_or_else(|| not_found("subscription"))?;
    Ok(SubscriptionSettings::of(row))
}

/// Returns a subscription with the values that restore it after a removal. `None` if it cannot be restored,
/// because its feed has a login or headers, which are deleted with it.
///
/// # Errors
/// `not_found` if the subscription does not exist.
#[boxed]
pub async fn removable_subscription(
    domain: &Domain,
    account_id: AccountId,
    id: SubscriptionId,
) -> Result<Option<RemovedSubscription>> {
    let connection = domain.db().read();
    let row = rss_subscription::Entity::owned_by(account_id).filter(Column::Id.eq(id));
    let row = row.one(connection).await?.ok_or_else(|| not_found("subscription"))?;
    if login::is_stored(connection, row.feed_id).await? {
        return Ok(None);
    }
    let feed = feed::Entity::find_by_id(row.feed_id).one(connection).await?;
    let settings = SubscriptionSettings::of(row);
    Ok(feed.map(|feed| RemovedSubscription { feed_url: feed.url, settings }))
}

/// Unfollows a feed unless its settings were changed. Returns true if the feed was unfollowed.
#[boxed]
pub async fn unfollow_unchanged(
    domain: &Domain,
    account_id: AccountId,
    id: SubscriptionId,
    settings: &SubscriptionSettings,
) -> Result<bool> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = rss_subscription::Entity::owned_by(account_id).filter(Column::Id.eq(id));
    let Some(row) = row.one(&transaction).await? else { return Ok(false) };
    let feed_id = row.feed_id;
    if SubscriptionSettings::of(row) != *settings {
        return Ok(false);
    }
    unfollow_in(&transaction, domain.now(), account_id, &[(id, feed_id)]).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Follows a feed again, with its previous settings and read state. If its collection was deleted, the feed is
/// in the unsorted collection. Returns false if the feed is followed already.
///
/// # Errors
/// `limit_reached` if the plan allows no more feeds; `interval_too_short` if it no longer allows the interval.
#[boxed]
pub async fn follow_again(
    domain: &Domain,
    account_id: AccountId,
    removed: &RemovedSubscription,
) -> Result<bool> {
    let settings = &removed.settings;
    let transaction = domain.db().begin().await?;
    let collection = rss_collection::Entity::owned_by(account_id)
        .filter(rss_collection::Column::Id.eq(settings.collection_id))
        .one(&transaction)
        .await?;
    let new = Follow {
        feed_url: removed.feed_url.clone(),
        title: settings.title.clone(),
        collection_id: collection.map(|collection| collection.id),
        interval_minutes: settings.interval_minutes.and_then(|minutes| u32::try_from(minutes).ok()),
        full_text: settings.full_text,
        ..Follow::default()
    };
    let followed = follow_in(&transaction, domain, account_id, new).await?;
    if followed.already {
        return Ok(false);
    }
    let removed = TextParts::parse(settings.text_removals.as_deref().unwrap_or_default()).removed;
    let parts = TextParts { selector: settings.text_selector.clone(), removed }.text();
    full_text::require_selector_capacity(&transaction, &followed.subscription, parts.as_deref()).await?;
    let row = rss_subscription::ActiveModel {
        id: Unchanged(followed.subscription.id),
        text_selector: Set(settings.text_selector.clone()),
        text_removals: Set(settings.text_removals.clone()),
        read_after_days: Set(settings.read_after_days),
        show_original: Set(settings.show_original),
        ..Default::default()
    };
    row.update(&transaction).await?;
    transaction.commit().await?;
    Ok(true)
}
