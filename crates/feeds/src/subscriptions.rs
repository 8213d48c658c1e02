//! Lists, changes, refreshes, and deletes subscriptions.

use std::collections::HashSet;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChannelId, CollectionId, EntryId, FeedId, SubscriptionId};
use entities::rss_subscription::{self, Column};
use extract::TextParts;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect};

use super::addresses::find_feed_of_key;
use super::collections;
use super::entry_notices;
use super::full_text::{self, ArticleVersion};
use super::internal_feed::{self, is_internal};
use super::login::{RequestUpdate, SealedLogin, seal_request};
use super::previous_feeds;
use super::relocation;
use super::reschedule::bring_forward;
use super::rewrites::{Rewrite, Rewriter};
use super::schedule::REFRESH_PAUSE;
use super::source_kind::SourceKind;
use super::sql::stop_polling_unfollowed;
use super::subscription::{Subscription, load, load_where};
use super::unshared_feed;
use super::validation::{check_interval, check_read_after, check_removals, check_selector, check_title};
use identity::accounts;
use kernel::clock::SECOND;
use kernel::error::not_found;
use kernel::statement::{execute, scalar};
use kernel::{Code, Domain, Error, Millis, Result};

/// Number of subscriptions per statement.
const BATCH_SIZE: usize = 500;

/// Changes to a subscription. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default)]
pub struct SubscriptionUpdate {
    /// Title that the follower chose. `Some(None)` restores the title of the feed.
    pub title: Option<Option<String>>,
    pub collection_id: Option<CollectionId>,
    /// Fixed interval in minutes. `Some(None)` makes the interval adaptive.
    pub interval_minutes: Option<Option<u32>>,
    /// True to read the text of articles instead of the feed's summaries.
    pub full_text: Option<bool>,
    /// URL from which the feed moved. Setting it undoes the move.
    pub feed_url: Option<String>,
    /// CSS selector of the article text. `Some(None)` restores the main part of the pages.
    pub text_selector: Option<Option<String>>,
    /// CSS selectors of parts to remove from the article text. They replace all previous selectors.
    pub text_removals: Option<Vec<String>>,
    /// True to render the pages of articles in a browser before their text is read.
    pub render_articles: Option<bool>,
    /// Rewrite rules. They replace all previous rules. Setting them for the first time moves the subscription to a feed
    /// of its own.
    pub rewrites: Option<Vec<Rewrite>>,
    /// Number of days after which unread entries count as read. `Some(Some(0))` means never, and `Some(None)`
    /// means that the setting of the collection applies.
    pub read_after_days: Option<Option<u32>>,
    /// True if clicking an entry in a list opens the publisher's page.
    pub show_original: Option<bool>,
    /// Channels to notify of new entries. They replace all previous channels. `Some(None)` means that the channels of
    /// the collection apply.
    pub notify: Option<Option<Vec<ChannelId>>>,
    /// User agent and headers. Setting them for the first time moves the subscription to a feed of its own.
    pub request: RequestUpdate,
}

/// One page of subscriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionPage {
    /// Subscriptions in the order in which the feeds were followed.
    pub subscriptions: Vec<Subscription>,
    /// Id after which the next page starts. `None` if this page is the last.
    pub next_after: Option<SubscriptionId>,
}

/// Returns one subscription of the account.
///
/// # Errors
/// `not_found` if the subscription does not exist.
#[boxed]
pub async fn get_subscription(
    domain: &Domain,
    account_id: AccountId,
    id: SubscriptionId,
) -> Result<Subscription> {
    load(domain.db().read(), &domain.policy().tiers, account_id, id).await
}

/// Returns the account's subscription to a feed, or to the feed that it moved to. `None` if the account
/// follows neither.
#[boxed]
pub async fn find_subscription(
    domain: &Domain,
    account_id: AccountId,
    feed_id: FeedId,
) -> Result<Option<SubscriptionId>> {
    let connection = domain.db().read();
    let feed_id = previous_feeds::current_id(connection, account_id, Some(feed_id)).await?;
    let query = rss_subscription::Entity::owned_by(account_id).filter(Column::FeedId.eq(feed_id));
    Ok(query.one(connection).await?.map(|row| row.id))
}

/// Returns the feeds that the account follows, or followed before they moved.
#[boxed]
pub async fn followed_feeds(
    domain: &Domain,
    account_id: AccountId,
    ids: &[FeedId],
) -> Result<HashSet<FeedId>> {
    let connection = domain.db().read();
    let moved = previous_feeds::current_ids(connection, account_id, ids).await?;
    let current = |id: &FeedId| moved.get(id).copied().unwrap_or(*id);
    let followed: Vec<FeedId> = rss_subscription::Entity::owned_by(account_id)
        .select_only()
        .column(Column::FeedId)
        .filter(Column::FeedId.is_in(ids.iter().map(current).collect::<Vec<_>>()))
        .into_tuple()
        .all(connection)
        .await?;
    Ok(ids.iter().filter(|id| followed.contains(&current(id))).copied().collect())
}

/// Returns a page of at most `limit` subscriptions, starting after the id `after`. If `collection_id` is set,
/// only subscriptions in this collection are returned.
#[boxed]
pub async fn list_subscriptions(
    domain: &Domain,
    account_id: AccountId,
    collection_id: Option<CollectionId>,
    after: Option<SubscriptionId>,
    limit: u32,
) -> Result<SubscriptionPage> {
    let condition =
        "s.account_id = $1 AND s.id > $2 AND ($3 = 0 OR s.collection_id = $3) ORDER BY s.id LIMIT $4";
    let more = i64::from(limit) + 1;
    let values = [
        account_id.into(),
        after.map_or(0, SubscriptionId::as_i64).into(),
        collection_id.map_or(0, CollectionId::as_i64).into(),
        more.into(),
    ];
    let mut subscriptions = load_where(domain.db().read(), &domain.policy().tiers, condition, values).await?;
    let has_more = subscriptions.len() > limit as usize;
    subscriptions.truncate(limit as usize);
    let next_after = subscriptions.last().map(|last| last.id).filter(|_| has_more);
    Ok(SubscriptionPage { subscriptions, next_after })
}

/// Changes a subscription.
///
/// # Errors
/// `not_found` if the subscription or a channel does not exist; `interval_too_short` if the plan does not allow the
/// interval; `invalid_request` if a value is invalid; `conflicting_changes` if headers are added to a feed
/// that the account also follows with its own headers or login.
#[boxed]
pub async fn update_subscription(
    domain: &Domain,
    account_id: AccountId,
    id: SubscriptionId,
    update: SubscriptionUpdate,
) -> Result<Subscription> {
    let tiers = &domain.policy().tiers;
    let sealed = checked_update(domain, account_id, id, &update).await?;
    let transaction = domain.db().begin().await?;
    let tier = accounts::lock(&transaction, account_id).await?;
    if let Some(feed_url) = &update.feed_url {
        undo_move(&transaction, domain.now(), account_id, id, feed_url).await?;
    }
    if let Some(sealed) = &sealed {
        unshared_feed::change_request(&transaction, domain.now(), (account_id, id), sealed).await?;
    }
    if let Some(rules) = &update.rewrites {
        unshared_feed::change_rewrites(&transaction, domain.now(), (account_id, id), rules).await?;
    }
    let current = load(&transaction, tiers, account_id, id).await?;
    let (feed_id, parts) = (current.feed_id, changed_parts(&current, &update)?);
    let mut row = rss_subscription::ActiveModel { id: Unchanged(id), ..Default::default() };
    if let Some(title) = update.title {
        row.title = Set(title.as_deref().map(check_title).transpose()?.flatten());
    }
    if let Some(collection_id) = update.collection_id {
        collections::check_exists(&transaction, account_id, collection_id).await?;
        row.collection_id = Set(collection_id);
    }
    if let Some(minutes) = update.interval_minutes {
        check_interval(minutes, domain.policy().tiers.of(tier).rss_minimum_interval_minutes)?;
        row.interval_minutes = Set(minutes.and_then(|minutes| i32::try_from(minutes).ok()));
    }
    if let Some(full_text) = update.full_text {
        row.full_text = Set(check_full_text(&current, full_text)?);
    }
    if let Some(days) = update.read_after_days {
        row.read_after_days = Set(check_read_after(days)?);
    }
    if let Some(show_original) = update.show_original {
        row.show_original = Set(show_original);
    }
    if let Some(channels) = &update.notify {
        let owner = (account_id, feed_id);
        let change = (current.notify.as_slice(), channels.as_deref());
        entry_notices::set_channels(&transaction, owner, change, &mut row).await?;
    }
    let is_other_text =
        change_version(&transaction, &current, (update.render_articles, parts), &mut row).await?;
    if row.is_changed() {
        row.update(&transaction).await?;
    }
    if update.collection_id.is_some() || update.notify == Some(None) {
        entry_notices::apply_collection_channels(&transaction, account_id, Some(id)).await?;
    }
    let is_other_text = is_other_text && current.full_text;
    if update.full_text.unwrap_or(is_other_text) {
        full_text::request_newest(&transaction, feed_id, EntryId::new(0), domain.now()).await?;
    }
    if update.interval_minutes.is_some() {
        bring_forward(&transaction, domain, &[feed_id]).await?;
    }
    let updated = load(&transaction, tiers, account_id, id).await?;
    transaction.commit().await?;
    Ok(updated)
}

/// Checks the request settings and rewrite rules of an update before its transaction begins. A transaction must not
/// load the vault, or wait for the compilation of expressions. Returns the sealed changes to the requests of the feed.
async fn checked_update(
    domain: &Domain,
    account_id: AccountId,
    id: SubscriptionId,
    update: &SubscriptionUpdate,
) -> Result<Option<SealedLogin>> {
    if update.request.is_empty() && update.rewrites.is_none() {
        return Ok(None);
    }
    let feed = get_subscription(domain, account_id, id).await?;
    if let Some(rules) = &update.rewrites {
        Rewriter::compile(rules).await?;
    }
    seal_request(domain, account_id, &feed.feed_url, None, &update.request).await
}

/// Sets the version of articles after an update. Returns true if it differs from the current one.
async fn change_version(
    transaction: &DatabaseTransaction,
    current: &Subscription,
    (render_articles, parts): (Option<bool>, Option<TextParts>),
    row: &mut rss_subscription::ActiveModel,
) -> Result<bool> {
    if let Some(parts) = &parts {
        row.text_removals = Set(Some(TextParts::of_removed(&parts.removed)).filter(|text| !text.is_empty()));
        row.text_selector = Set(parts.selector.clone());
    }
    if let Some(render_articles) = render_articles {
        row.render_articles = Set(render_articles);
    }
    let version = ArticleVersion {
        is_rendered: render_articles.unwrap_or(current.render_articles),
        parts: parts.unwrap_or_else(|| current.text_parts()).text(),
    };
    let is_other = version != ArticleVersion::of(current);
    if is_other {
        full_text::require_version_capacity(transaction, current, &version).await?;
    }
    Ok(is_other)
}

/// Returns the parts of articles after an update. `None` if the update does not change them.
fn changed_parts(current: &Subscription, update: &SubscriptionUpdate) -> Result<Option<TextParts>> {
    if update.text_selector.is_none() && update.text_removals.is_none() {
        return Ok(None);
    }
    let selector = match &update.text_selector {
        Some(selector) => check_selector(selector.as_deref().unwrap_or_default())?,
        None => current.text_selector.clone(),
    };
    let removed = match &update.text_removals {
        Some(selectors) => check_removals(selectors)?,
        None => current.text_removals.clone(),
    };
    Ok(Some(TextParts { selector, removed }))
}

/// Refuses to request articles for a newsletter, because its entries link to private pages.
fn check_full_text(current: &Subscription, full_text: bool) -> Result<bool> {
    if full_text && current.source_kind == SourceKind::Newsletter {
        return Err(Error::invalid_field(
            "full_text",
            "cannot be true: the messages of a newsletter are complete",
        ));
    }
    Ok(full_text)
}

/// Moves a subscription back to the feed from which it was moved.
async fn undo_move(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    id: SubscriptionId,
    feed_url: &str,
) -> Result<()> {
    let wrong_address = || Error::invalid_field("feed_url", "must be the address that the feed moved from");
    let row = rss_subscription::Entity::owned_by(account_id).filter(Column::Id.eq(id));
    let row = row.one(transaction).await?.ok_or_else(|| not_found("subscription"))?;
    let key = extract::feed::feed_key(feed_url).ok_or_else(wrong_address)?;
    let feed_id = find_feed_of_key(transaction, &key).await?.ok_or_else(wrong_address)?;
    if feed_id == row.feed_id {
        return Ok(());
    }
    let old = previous_feeds::find_listed(transaction, &row, feed_id).await?.ok_or_else(wrong_address)?;
    relocation::undo(transaction, now, &row, old).await
}

/// Unfollows a feed. Saved items are retained. A feed without followers is no longer polled.
///
/// # Errors
/// `not_found` if the subscription does not exist.
#[boxed]
pub async fn unfollow(domain: &Domain, account_id: AccountId, id: SubscriptionId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = rss_subscription::Entity::owned_by(account_id).filter(Column::Id.eq(id));
    let row = row.one(&transaction).await?.ok_or_else(|| not_found("subscription"))?;
    unfollow_in(&transaction, domain.now(), account_id, &[(id, row.feed_id)]).await?;
    transaction.commit().await?;
    Ok(())
}

/// Unfollows the feed of a monitor, if the account follows it, within a transaction that has locked the account. Its
/// entries and read state are retained for 30 days, until the monitor is followed again.
#[boxed]
pub async fn unfollow_monitor(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    feed_id: FeedId,
) -> Result<()> {
    let row = rss_subscription::Entity::owned_by(account_id).filter(Column::FeedId.eq(feed_id));
    let Some(row) = row.one(transaction).await? else { return Ok(()) };
    unfollow_in(transaction, now, account_id, &[(row.id, feed_id)]).await
}

/// Like [`unfollow`], but for several subscriptions with their feeds, in feed order, within a transaction
/// that has locked the account.
pub(super) async fn unfollow_in(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    subscriptions: &[(SubscriptionId, FeedId)],
) -> Result<()> {
    for chunk in subscriptions.chunks(BATCH_SIZE) {
        let feeds: Vec<FeedId> = chunk.iter().map(|(_, feed_id)| *feed_id).collect();
        // The feed of a newsletter belongs only to this account. The next message creates it again.
        let newsletters = internal_feed::select_newsletters(transaction, &feeds).await?;
        internal_feed::remove(transaction, &newsletters).await?;
        let retained: Vec<_> =
            chunk.iter().filter(|(_, feed_id)| !newsletters.contains(feed_id)).copied().collect();
        previous_feeds::retain_all(transaction, now, account_id, &retained).await?;
        let ids: Vec<SubscriptionId> = retained.iter().map(|(id, _)| *id).collect();
        notices::forget_subscriptions(transaction, account_id, &ids).await?;
        rss_subscription::Entity::delete_many()
            .filter(Column::AccountId.eq(account_id))
            .filter(Column::Id.is_in(ids))
            .exec(transaction)
            .await?;
        let feeds: Vec<FeedId> = retained.iter().map(|(_, feed_id)| *feed_id).collect();
        internal_feed::detach_monitors(transaction, account_id, &feeds).await?;
        stop_polling_unfollowed(transaction, &feeds).await?;
    }
    Ok(())
}

/// Schedules an immediate poll of the feed, for all followers.
///
/// # Errors
/// `not_found` if the subscription does not exist; `rate_limited` if the feed was refreshed less than five
/// minutes ago.
#[boxed]
pub async fn refresh(domain: &Domain, account_id: AccountId, id: SubscriptionId) -> Result<()> {
    let now = domain.now();
    let subscription = get_subscription(domain, account_id, id).await?;
    if is_internal(domain.db().read(), subscription.feed_id).await? {
        return Ok(());
    }
    let sql = "UPDATE feed SET refreshed_at = $1, next_poll_at = CASE WHEN next_poll_at IS NULL OR next_poll_at > $1 \
                THEN $1 ELSE next_poll_at END WHERE id = $2 AND (refreshed_at IS NULL OR refreshed_at <= $3)";
    let earliest = now - REFRESH_PAUSE;
    let values = [now.into(), subscription.feed_id.into(), earliest.into()];
    if execute(domain.db().write(), sql, values).await? == 1 {
        return Ok(());
    }
    let sql = "SELECT refreshed_at FROM feed WHERE id = $1";
    let last = scalar(domain.db().read(), sql, [subscription.feed_id.into()]).await?;
    let seconds = ((last + REFRESH_PAUSE - now).max(SECOND) + SECOND - 1) / SECOND;
    Err(Error::new(Code::RateLimited, "This feed was refreshed less than five minutes ago.")
        .retry_after(u32::try_from(seconds).unwrap_or(300)))
}
