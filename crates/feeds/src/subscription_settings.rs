//! Settings of a subscription, used to undo a call that followed or unfollowed its feed.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChannelId, CollectionId, SubscriptionId};
use entities::rss_subscription::{self, Column};
use entities::{feed, rss_collection};
use extract::TextParts;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use serde::{Deserialize, Serialize};

use super::entry_notices;
use super::follow::{Follow, follow_in};
use super::full_text::{self, ArticleVersion};
use super::login;
use super::rewrites::Rewrite;
use super::subscriptions::unfollow_in;
use super::unshared_feed;
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
    /// Selectors of removed parts, in their stored form.
    #[serde(default)]
    text_removals: Option<String>,
    read_after_days: Option<i32>,
    #[serde(default)]
    show_original: bool,
    /// Channels that are notified of new entries. `None` for the channels of the collection.
    #[serde(default)]
    notify: Option<Vec<ChannelId>>,
    #[serde(default)]
    render_articles: bool,
    /// Rewrite rules.
    #[serde(default)]
    rewrites: Vec<Rewrite>,
}

/// A subscription that can be restored after its removal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedSubscription {
    feed_url: String,
    settings: SubscriptionSettings,
}

impl SubscriptionSettings {
    async fn of(connection: &impl ConnectionTrait, row: rss_subscription::Model) -> Result<Self> {
        let rewrites = login::rewrites_of(connection, row.feed_id).await?;
        Ok(Self {
            collection_id: row.collection_id,
            title: row.title,
            interval_minutes: row.interval_minutes,
            full_text: row.full_text,
            text_selector: row.text_selector,
            text_removals: row.text_removals,
            read_after_days: row.read_after_days,
            show_original: row.show_original,
            notify: row.own_notify.then(|| serde_json::from_str(&row.notify).unwrap_or_default()),
            render_articles: row.render_articles,
            rewrites,
        })
    }
}

/// Returns the settings of a subscription.
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
    let connection = domain.db().read();
    let row = row.one(connection).await?.ok_or_else(|| not_found("subscription"))?;
    SubscriptionSettings::of(connection, row).await
}

/// Returns a subscription with the values that restore it after a removal. `None` if it cannot be restored,
/// because its feed has a login, a user agent, or headers, which are deleted with it.
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
    if login::has_own_request(connection, row.feed_id).await? {
        return Ok(None);
    }
    let feed = feed::Entity::find_by_id(row.feed_id).one(connection).await?;
    let settings = SubscriptionSettings::of(connection, row).await?;
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
    if SubscriptionSettings::of(&transaction, row).await? != *settings {
        return Ok(false);
    }
    unfollow_in(&transaction, domain.now(), account_id, &[(id, feed_id)]).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Follows a feed again, with its previous settings and read state. If its collection was deleted, the feed
/// is in the unsorted collection. Returns false if the feed is already followed.
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
        render_articles: settings.render_articles,
        ..Follow::default()
    };
    let followed = follow_in(&transaction, domain, account_id, new).await?;
    if followed.already_followed {
        return Ok(false);
    }
    let removed = TextParts::parse(settings.text_removals.as_deref().unwrap_or_default()).removed;
    let parts = TextParts { selector: settings.text_selector.clone(), removed }.text();
    let version = ArticleVersion { is_rendered: settings.render_articles, parts };
    full_text::require_version_capacity(&transaction, &followed.subscription, &version).await?;
    let mut row = rss_subscription::ActiveModel {
        id: Unchanged(followed.subscription.id),
        text_selector: Set(settings.text_selector.clone()),
        text_removals: Set(settings.text_removals.clone()),
        read_after_days: Set(settings.read_after_days),
        show_original: Set(settings.show_original),
        ..Default::default()
    };
    let owner = (account_id, followed.subscription.feed_id);
    if let Some(channels) = &settings.notify {
        entry_notices::restore_channels(&transaction, owner, channels, &mut row).await?;
    }
    let id = row.update(&transaction).await?.id;
    unshared_feed::change_rewrites(&transaction, domain.now(), (account_id, id), &settings.rewrites).await?;
    transaction.commit().await?;
    Ok(true)
}
