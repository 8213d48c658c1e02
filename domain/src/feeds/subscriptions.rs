//! Subscriptions: following a feed, changing how, and letting go.

use entities::ids::{AccountId, CollectionId, EntryId, FeedId, SubscriptionId};
use entities::rss_subscription::{self, Column};
use entities::{feed, feed_address, rss_entry_mark};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, FromQueryResult,
    ModelTrait, QueryFilter, QueryResult,
};

use super::checks::{check_interval, check_title};
use super::collections;
use super::pushed::{self, is_pushed};
use super::reschedule::bring_forward;
use super::rows::{UNREAD, execute, not_found, scalar, scalar_optional, statement};
use super::schedule::spread;
use super::usage::count_subscriptions;
use crate::accounts;
use crate::clock::{MINUTE, Millis, SECOND, rfc3339};
use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::limits::require_room;

/// A newly followed feed shows at most this many older entries as unread.
const UNREAD_AT_START: i64 = 100;
/// Between two polls by hand.
const REFRESH_PAUSE: Millis = 5 * MINUTE;

/// A followed feed as its follower sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Counts from 1.
    pub id: SubscriptionId,
    /// The feed, which others may follow too.
    pub feed_id: FeedId,
    /// The one collection it lies in.
    pub collection_id: CollectionId,
    /// Where the feed is fetched.
    pub feed_url: String,
    /// The page of the feed.
    pub site_url: Option<String>,
    /// The follower's title, else the feed's, else its address.
    pub title: String,
    /// One line about the feed.
    pub description: Option<String>,
    /// When it last answered well.
    pub last_fetched_at: Option<Millis>,
    /// What is wrong with it, and when it is tried again.
    pub last_error: Option<String>,
    /// Entries not read yet.
    pub unread_count: i64,
    /// A fixed interval in minutes; none for an adaptive one.
    pub interval_minutes: Option<i32>,
    /// Article text instead of the feed's summary.
    pub full_text: bool,
    /// When it was followed.
    pub created_at: Millis,
}

/// A feed to be followed. Its address has been checked and found to be a feed, or comes from a list.
#[derive(Clone, Debug, Default)]
pub struct Follow {
    /// Absolute http(s).
    pub feed_url: String,
    /// What discovery called it.
    pub feed_title: Option<String>,
    /// The follower's own title.
    pub title: Option<String>,
    /// The page of the feed, as a list names it; for as long as the feed itself names none.
    pub site_url: Option<String>,
    /// Where to put it; unsorted when not given.
    pub collection_id: Option<CollectionId>,
    /// A fixed interval in minutes.
    pub interval_minutes: Option<u32>,
    /// Article text instead of the feed's summary.
    pub full_text: bool,
}

/// What came of following.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The subscription.
    pub subscription: Subscription,
    /// It was there before; nothing was changed.
    pub already: bool,
}

/// What is to change about a subscription. The outer `None` leaves things as they are.
#[derive(Clone, Debug, Default)]
pub struct SubscriptionUpdate {
    /// The follower's own title; `Some(None)` gives the feed's own back.
    pub title: Option<Option<String>>,
    /// Another collection.
    pub collection_id: Option<CollectionId>,
    /// A fixed interval in minutes; `Some(None)` makes it adaptive.
    pub interval_minutes: Option<Option<u32>>,
    /// Article text or not.
    pub full_text: Option<bool>,
}

/// A page of subscriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionPage {
    /// In the order in which they were followed.
    pub subscriptions: Vec<Subscription>,
    /// The id after which the next page begins, when there is one.
    pub next_after: Option<SubscriptionId>,
}

/// Follows a feed. Two accounts that follow one address share one feed and one poll.
///
/// # Errors
/// `limit_reached`, `interval_too_short`, `invalid_request`, `not_found` for a foreign collection.
pub async fn follow(domain: &Domain, account_id: AccountId, new: Follow) -> Result<Followed> {
    let transaction = domain.db().begin().await?;
    let followed = follow_in(&transaction, domain, account_id, new).await?;
    transaction.commit().await?;
    Ok(followed)
}

/// [`follow`], as part of a transaction.
pub(super) async fn follow_in(
    connection: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    new: Follow,
) -> Result<Followed> {
    let now = domain.now();
    let title = new.title.as_deref().map(check_title).transpose()?.flatten();
    let tier = accounts::lock(connection, account_id).await?;
    let plan = domain.limits().of(tier);
    check_interval(new.interval_minutes, plan.rss_minimum_interval_minutes)?;
    let feed_id = feed_for(connection, now, &new).await?;
    let existing = rss_subscription::Entity::owned_by(account_id).filter(Column::FeedId.eq(feed_id));
    if let Some(existing) = existing.one(connection).await? {
        let subscription = load(connection, account_id, existing.id).await?;
        return Ok(Followed { subscription, already: true });
    }
    let used = count_subscriptions(connection, account_id).await?;
    require_room("RSS subscriptions", plan.rss_subscriptions.into(), used)?;
    let collection_id = match new.collection_id {
        Some(id) => {
            collections::require(connection, account_id, id).await?;
            id
        }
        None => collections::ensure_unsorted(connection, now, account_id).await?,
    };
    let through = format!(
        "SELECT id FROM feed_entry WHERE feed_id = $1 ORDER BY id DESC LIMIT 1 OFFSET {UNREAD_AT_START}"
    );
    let read_through: Option<EntryId> = scalar_optional(connection, &through, [feed_id.into()]).await?;
    let row = rss_subscription::ActiveModel {
        account_id: Set(account_id),
        feed_id: Set(feed_id),
        collection_id: Set(collection_id),
        title: Set(title),
        interval_minutes: Set(new.interval_minutes.and_then(|minutes| i32::try_from(minutes).ok())),
        full_text: Set(new.full_text),
        read_through: Set(read_through.unwrap_or(EntryId::new(0))),
        created_at: Set(now),
        site_url: Set(new.site_url),
        ..Default::default()
    };
    let id = row.insert(connection).await?.id;
    wake(connection, now, feed_id).await?;
    bring_forward(connection, domain, &[feed_id]).await?;
    Ok(Followed { subscription: load(connection, account_id, id).await?, already: false })
}

/// The feed of an address, made when nobody has followed it yet.
async fn feed_for(connection: &impl ConnectionTrait, now: Millis, new: &Follow) -> Result<FeedId> {
    let key = extract::feed::feed_key(&new.feed_url)
        .ok_or_else(|| Error::new(Code::InvalidUrl, "The address of a feed must be absolute http(s)."))?;
    for _ in 0..2 {
        if let Some(known) = feed_address::Entity::find_by_id(key.as_str()).one(connection).await? {
            return Ok(known.feed_id);
        }
        let row = feed::ActiveModel {
            url: Set(new.feed_url.clone()),
            host: Set(extract::feed::site(&new.feed_url).unwrap_or_default()),
            title: Set(new.feed_title.clone()),
            trust_guid: Set(true),
            trust_url: Set(true),
            gone: Set(false),
            created_at: Set(now),
            ..Default::default()
        };
        let id = row.insert(connection).await?.id;
        let sql = "INSERT INTO feed_address (url, feed_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        if execute(connection, sql, [key.as_str().into(), id.into()]).await? == 1 {
            return Ok(id);
        }
        // Somebody else was first: theirs is the feed.
        feed::Entity::delete_by_id(id).exec(connection).await?;
    }
    Err(Error::internal("the feed's address can neither be found nor taken"))
}

/// A feed that nobody polled is polled soon: at once, but a crowd of them not all in one second.
async fn wake(connection: &impl ConnectionTrait, now: Millis, feed_id: FeedId) -> Result<()> {
    let sql = "UPDATE feed SET next_poll_at = $1, gone = $3, not_found = 0, not_found_since = NULL \
                WHERE id = $2 AND next_poll_at IS NULL";
    let soon = now + spread(feed_id.as_i64(), 2 * SECOND);
    execute(connection, sql, [soon.into(), feed_id.into(), false.into()]).await?;
    Ok(())
}

/// One subscription of the account.
///
/// # Errors
/// `not_found`.
pub async fn get_subscription(
    domain: &Domain,
    account_id: AccountId,
    id: SubscriptionId,
) -> Result<Subscription> {
    load(domain.db().read(), account_id, id).await
}

/// At most `limit` subscriptions after the id `after`, of one collection or of all.
pub async fn list_subscriptions(
    domain: &Domain,
    account_id: AccountId,
    collection_id: Option<CollectionId>,
    after: Option<SubscriptionId>,
    limit: u32,
) -> Result<SubscriptionPage> {
    let connection = domain.db().read();
    let sql = format!(
        "{} WHERE s.account_id = $1 AND s.id > $2 AND ($3 = 0 OR s.collection_id = $3) ORDER BY s.id LIMIT $4",
        select()
    );
    let more = i64::from(limit) + 1;
    let values = [
        account_id.into(),
        after.map_or(0, SubscriptionId::as_i64).into(),
        collection_id.map_or(0, CollectionId::as_i64).into(),
        more.into(),
    ];
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let mut subscriptions = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    let has_more = subscriptions.len() > limit as usize;
    subscriptions.truncate(limit as usize);
    let next_after = subscriptions.last().map(|last| last.id).filter(|_| has_more);
    Ok(SubscriptionPage { subscriptions, next_after })
}

/// Changes a subscription.
///
/// # Errors
/// `not_found`, `interval_too_short`, `invalid_request`.
pub async fn update_subscription(
    domain: &Domain,
    account_id: AccountId,
    id: SubscriptionId,
    wanted: SubscriptionUpdate,
) -> Result<Subscription> {
    let transaction = domain.db().begin().await?;
    let tier = accounts::lock(&transaction, account_id).await?;
    let feed_id = load(&transaction, account_id, id).await?.feed_id;
    let mut row = rss_subscription::ActiveModel { id: Unchanged(id), ..Default::default() };
    if let Some(title) = wanted.title {
        row.title = Set(title.as_deref().map(check_title).transpose()?.flatten());
    }
    if let Some(collection_id) = wanted.collection_id {
        collections::require(&transaction, account_id, collection_id).await?;
        row.collection_id = Set(collection_id);
    }
    if let Some(minutes) = wanted.interval_minutes {
        check_interval(minutes, domain.limits().of(tier).rss_minimum_interval_minutes)?;
        row.interval_minutes = Set(minutes.and_then(|minutes| i32::try_from(minutes).ok()));
    }
    if let Some(full_text) = wanted.full_text {
        row.full_text = Set(full_text);
    }
    if row.is_changed() {
        row.update(&transaction).await?;
    }
    if wanted.interval_minutes.is_some() {
        bring_forward(&transaction, domain, &[feed_id]).await?;
    }
    let updated = load(&transaction, account_id, id).await?;
    transaction.commit().await?;
    Ok(updated)
}

/// Lets a feed go. What the account has saved of it stays; a feed that nobody follows is not polled.
///
/// # Errors
/// `not_found`.
pub async fn unfollow(domain: &Domain, account_id: AccountId, id: SubscriptionId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = rss_subscription::Entity::owned_by(account_id).filter(Column::Id.eq(id));
    let row = row.one(&transaction).await?.ok_or_else(|| not_found("subscription"))?;
    let feed_id = row.feed_id;
    if is_pushed(&transaction, feed_id).await? {
        // It is nobody else's: what writes it is followed no more, and can be again.
        pushed::remove(&transaction, &[feed_id]).await?;
        transaction.commit().await?;
        return Ok(());
    }
    rss_entry_mark::Entity::delete_many()
        .filter(rss_entry_mark::Column::AccountId.eq(account_id))
        .filter(rss_entry_mark::Column::FeedId.eq(feed_id))
        .exec(&transaction)
        .await?;
    row.delete(&transaction).await?;
    let sql = "UPDATE feed SET next_poll_at = NULL WHERE id = $1 \
                AND NOT EXISTS (SELECT 1 FROM rss_subscription WHERE feed_id = $1)";
    execute(&transaction, sql, [feed_id.into()]).await?;
    transaction.commit().await?;
    Ok(())
}

/// Has the feed polled now, for everybody.
///
/// # Errors
/// `not_found`; `rate_limited` when somebody asked for that less than five minutes ago.
pub async fn refresh(domain: &Domain, account_id: AccountId, id: SubscriptionId) -> Result<()> {
    let now = domain.now();
    let subscription = get_subscription(domain, account_id, id).await?;
    if is_pushed(domain.db().read(), subscription.feed_id).await? {
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

fn select() -> String {
    format!(
        "SELECT s.id AS s_id, s.feed_id AS s_feed_id, s.collection_id AS s_collection_id, s.title AS s_title, \
         s.interval_minutes AS s_interval_minutes, s.full_text AS s_full_text, s.created_at AS s_created_at, \
         s.site_url AS s_site_url, {UNREAD} AS unread, f.* FROM rss_subscription s JOIN feed f ON f.id = s.feed_id"
    )
}

async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: SubscriptionId,
) -> Result<Subscription> {
    let sql = format!("{} WHERE s.account_id = $1 AND s.id = $2", select());
    let row = connection.query_one_raw(statement(connection, &sql, [account_id.into(), id.into()])).await?;
    row.as_ref().map(read).transpose()?.ok_or_else(|| not_found("subscription"))
}

fn read(row: &QueryResult) -> Result<Subscription> {
    let feed = feed::Model::from_query_result(row, "")?;
    let own: Option<String> = row.try_get("", "s_title")?;
    Ok(Subscription {
        id: row.try_get("", "s_id")?,
        feed_id: row.try_get("", "s_feed_id")?,
        collection_id: row.try_get("", "s_collection_id")?,
        title: own.or_else(|| feed.title.clone()).unwrap_or_else(|| feed.url.clone()),
        last_error: last_error(&feed),
        feed_url: feed.url,
        site_url: feed.site_url.or(row.try_get("", "s_site_url")?),
        description: feed.description,
        last_fetched_at: feed.last_fetched_at,
        unread_count: row.try_get::<i64>("", "unread")?.max(0),
        interval_minutes: row.try_get("", "s_interval_minutes")?,
        full_text: row.try_get("", "s_full_text")?,
        created_at: row.try_get("", "s_created_at")?,
    })
}

fn last_error(feed: &feed::Model) -> Option<String> {
    let code = feed.last_error_code.as_deref()?;
    Some(match feed.next_poll_at.filter(|_| !feed.gone) {
        Some(at) => format!("{code}: next try {}", rfc3339(at)),
        None => format!("{code}: not tried any more"),
    })
}
