//! Follows a feed.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, CollectionId, EntryId, FeedId};
use entities::rss_subscription::{self, Column};
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseTransaction, QueryFilter};

use super::addresses::{NewFeedAddress, find_feed_of_key, find_or_create_feed, key_of, poll_soon};
use super::collections;
use super::entry_notices;
use super::full_text;
use super::log;
use super::login::{self, SealedLogin};
use super::previous_feeds::{self, FollowState};
use super::reschedule::{bring_forward, refresh_failing};
use super::rules;
use super::subscription::{Subscription, load};
use super::unshared_feed;
use super::usage::count_subscriptions;
use super::validation::{check_interval, check_title};
use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::statement::scalar_optional;
use kernel::{Domain, Result};

/// Maximum number of existing entries that are displayed as unread for a newly followed feed.
const UNREAD_AT_START: i64 = 100;

/// Feed to follow. Its address was verified to be a feed, or comes from an imported list.
#[derive(Clone, Debug, Default)]
pub struct Follow {
    /// Absolute http or https URL.
    pub feed_url: String,
    /// Title of the feed according to discovery.
    pub feed_title: Option<String>,
    /// Title that the follower chose.
    pub title: Option<String>,
    /// Web page of the feed according to an imported list. Used until the feed itself provides one.
    pub site_url: Option<String>,
    /// Target collection. `None` for the unsorted collection.
    pub collection_id: Option<CollectionId>,
    /// Fixed poll interval in minutes. `None` for an adaptive interval.
    pub interval_minutes: Option<u32>,
    /// Login and headers of the feed, sealed for this address and account. If set, the feed is not shared.
    pub login: Option<SealedLogin>,
    /// True to read the text of articles instead of the feed's summaries.
    pub full_text: bool,
    /// True to render the pages of articles in a browser before their text is read.
    pub render_articles: bool,
}

/// Result of [`follow`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    pub subscription: Subscription,
    /// True if the subscription already existed. In that case, it was not changed.
    pub already_followed: bool,
}

/// Follows a feed. Accounts that follow the same address share one feed and its polls.
///
/// # Errors
/// `limit_reached` if the plan allows no more feeds; `interval_too_short` if the plan does not allow the
/// interval; `invalid_request` if a value is invalid; `not_found` if the collection belongs to another
/// account.
#[boxed]
pub async fn follow(domain: &Domain, account_id: AccountId, new: Follow) -> Result<Followed> {
    let transaction = domain.db().begin().await?;
    let followed = follow_in(&transaction, domain, account_id, new).await?;
    transaction.commit().await?;
    Ok(followed)
}

/// Like [`follow`], but within a transaction.
pub(super) async fn follow_in(
    connection: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    new: Follow,
) -> Result<Followed> {
    let now = domain.now();
    let title = new.title.as_deref().map(check_title).transpose()?.flatten();
    let plan = accounts::lock_limits(connection, domain, account_id).await?;
    check_interval(new.interval_minutes, plan.rss_minimum_interval_minutes)?;
    let login_key = new.login.as_ref().map(|login| Ok(login.address_key.clone()));
    let address_key = login_key.unwrap_or_else(|| key_of(&new.feed_url))?;
    if let Some(existing) = find_existing(connection, account_id, &address_key, &new).await? {
        if let Some(login) = &new.login {
            login::store(connection, existing.feed_id, login).await?;
            refresh_failing(connection, now, existing.feed_id).await?;
        }
        let subscription = load(connection, &domain.policy().tiers, account_id, existing.id).await?;
        return Ok(Followed { subscription, already_followed: true });
    }
    let used = count_subscriptions(connection, account_id).await?;
    check_plan_limit("RSS subscriptions", plan.rss_subscriptions.into(), used)?;
    if let Some(id) = new.collection_id {
        collections::check_exists(connection, account_id, id).await?;
    }
    let collection_id = match new.collection_id {
        Some(id) => id,
        None => collections::ensure_unsorted(connection, now, account_id).await?,
    };
    // Create the feed after all checks. Otherwise each refused feed of an imported list, for example over the
    // limit of the plan, would leave a feed without followers.
    let feed = NewFeedAddress { key: &address_key, url: &new.feed_url, title: new.feed_title.as_deref() };
    let feed_id = find_or_create_feed(connection, now, feed).await?;
    if let Some(login) = &new.login {
        login::store(connection, feed_id, login).await?;
    }
    let state = match previous_feeds::restore(connection, account_id, feed_id, now).await? {
        Some(restored) => restored,
        None => initial_state(connection, feed_id).await?,
    };
    let row = rss_subscription::ActiveModel {
        account_id: Set(account_id),
        feed_id: Set(feed_id),
        collection_id: Set(collection_id),
        title: Set(title),
        interval_minutes: Set(new.interval_minutes.and_then(|minutes| i32::try_from(minutes).ok())),
        full_text: Set(new.full_text),
        render_articles: Set(new.render_articles),
        read_through: Set(state.read_through),
        created_at: Set(now),
        site_url: Set(new.site_url),
        followed_sequence: Set(state.followed_sequence),
        ..Default::default()
    };
    let id = row.insert(connection).await?.id;
    entry_notices::apply_collection_channels(connection, account_id, Some(id)).await?;
    previous_feeds::attach_previous_entries(connection, account_id, feed_id, id).await?;
    let decisions = rules::decide_existing(connection, now, (id, feed_id), state.read_through).await?;
    rules::write(connection, now, feed_id, &decisions).await?;
    if new.full_text {
        full_text::request_newest(connection, feed_id, EntryId::new(0), now).await?;
    }
    poll_soon(connection, now, feed_id).await?;
    bring_forward(connection, domain, &[feed_id]).await?;
    let subscription = load(connection, &domain.policy().tiers, account_id, id).await?;
    Ok(Followed { subscription, already_followed: false })
}

/// Returns the account's subscription to the feed with this address key, or else to a feed at the same address that
/// only this account has, because its rules rewrite the entries.
async fn find_existing(
    connection: &DatabaseTransaction,
    account_id: AccountId,
    address_key: &str,
    new: &Follow,
) -> Result<Option<rss_subscription::Model>> {
    if let Some(feed_id) = find_feed_of_key(connection, address_key).await? {
        let existing = rss_subscription::Entity::owned_by(account_id).filter(Column::FeedId.eq(feed_id));
        if let Some(existing) = existing.one(connection).await? {
            return Ok(Some(existing));
        }
    }
    if new.login.is_some() {
        return Ok(None);
    }
    unshared_feed::find_rewritten(connection, account_id, &new.feed_url).await
}

/// Returns the state of a feed that the account has not followed before: its newest entries are unread, and
/// events after the present end of the log are visible.
async fn initial_state(connection: &DatabaseTransaction, feed_id: FeedId) -> Result<FollowState> {
    let sql = format!(
        "SELECT id FROM feed_entry WHERE feed_id = $1 ORDER BY id DESC LIMIT 1 OFFSET {UNREAD_AT_START}"
    );
    let newest_read: Option<EntryId> = scalar_optional(connection, &sql, [feed_id.into()]).await?;
    let read_through = newest_read.unwrap_or(EntryId::new(0));
    Ok(FollowState { read_through, followed_sequence: log::last(connection).await? })
}
