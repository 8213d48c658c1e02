//! Internal feeds: feeds that this service writes instead of polling. Each monitor has an internal feed,
//! through which its owner follows the changes of the monitored page, and each newsletter that an account
//! receives by mail may have one.
//!
//! An internal feed belongs to one account, is never due, does not count as a subscription, and cannot be
//! followed by other accounts. Other crates write to feeds only through this module.

mod arrivals;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, CollectionId, EntryId, FeedId};
use entities::{feed, feed_entry, rss_collection, rss_subscription};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    PaginatorTrait, QueryFilter, QuerySelect, Value,
};

use super::collections::ensure_unsorted;
use super::entry_notices;
use super::health::Health;
use super::log::{self, EventKind};
use super::previous_feeds::{self, FollowState};
use super::search_text::{self, SearchFields};
use super::source_kind::{INTERNAL_KINDS, SourceKind};
use kernel::statement::{execute, placeholders, scalar};
use kernel::{Millis, Result};

pub use super::retention::trim_newsletters;
pub use super::rules::accounts_with_rules;
pub use arrivals::{FeedArrivals, NewEntry, append};

/// Kind of the feeds of monitors in the database.
const MONITOR: &str = SourceKind::Monitor.as_str();

/// Properties of an internal feed to create.
#[derive(Clone, Copy, Debug)]
pub struct NewInternalFeed<'a> {
    pub account_id: AccountId,
    /// Monitor or newsletter.
    pub kind: SourceKind,
    /// Collection of the subscription. If it does not exist, the feed is unsorted.
    pub collection_id: Option<CollectionId>,
    pub url: &'a str,
    /// Page that the feed is about.
    pub site_url: &'a str,
    /// Host of the page.
    pub host: &'a str,
    pub title: &'a str,
}

/// Creates an internal feed and a subscription of its owner. If the owner unfollowed the feed of this monitor in the
/// last 30 days, restores it with its entries and read state. Returns the id of the feed.
pub async fn create(
    connection: &impl ConnectionTrait,
    now: Millis,
    feed: NewInternalFeed<'_>,
) -> Result<FeedId> {
    let (feed_id, state) = if let Some(restored) = restore(connection, now, feed).await? {
        restored
    } else {
        let followed_sequence = log::last(connection).await?;
        let state = FollowState { read_through: EntryId::new(0), followed_sequence };
        (insert(connection, now, feed).await?, state)
    };
    let row = rss_subscription::ActiveModel {
        account_id: Set(feed.account_id),
        feed_id: Set(feed_id),
        collection_id: Set(collection_of(connection, now, feed).await?),
        full_text: Set(false),
        read_through: Set(state.read_through),
        created_at: Set(now),
        followed_sequence: Set(state.followed_sequence),
        ..Default::default()
    };
    let id = row.insert(connection).await?.id;
    entry_notices::apply_collection_channels(connection, feed.account_id, Some(id)).await?;
    Ok(feed_id)
}

async fn insert(connection: &impl ConnectionTrait, now: Millis, feed: NewInternalFeed<'_>) -> Result<FeedId> {
    let row = feed::ActiveModel {
        url: Set(feed.url.to_owned()),
        host: Set(feed.host.to_owned()),
        kind: Set(Some(feed.kind.as_str().to_owned())),
        site_url: Set(Some(feed.site_url.to_owned())),
        title: Set(Some(feed.title.to_owned())),
        trust_guid: Set(true),
        trust_url: Set(false),
        gone: Set(false),
        last_fetched_at: Set(Some(now)),
        created_at: Set(now),
        ..Default::default()
    };
    Ok(row.insert(connection).await?.id)
}

/// Returns the retained feed of an unfollowed monitor, with its state. The name and the page of the monitor may have
/// changed since.
async fn restore(
    connection: &impl ConnectionTrait,
    now: Millis,
    feed: NewInternalFeed<'_>,
) -> Result<Option<(FeedId, FollowState)>> {
    if feed.kind != SourceKind::Monitor {
        return Ok(None);
    }
    let owner = feed.account_id;
    let Some(feed_id) = previous_feeds::find_monitor(connection, owner, feed.url, now).await? else {
        return Ok(None);
    };
    let Some(state) = previous_feeds::restore(connection, owner, feed_id, now).await? else {
        return Ok(None);
    };
    let row = feed::ActiveModel {
        id: Set(feed_id),
        host: Set(feed.host.to_owned()),
        site_url: Set(Some(feed.site_url.to_owned())),
        title: Set(Some(feed.title.to_owned())),
        ..Default::default()
    };
    row.update(connection).await?;
    Ok(Some((feed_id, state)))
}

/// Records that monitors of the account no longer have these feeds, which it unfollowed.
pub(super) async fn detach_monitors(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    feed_ids: &[FeedId],
) -> Result<()> {
    if feed_ids.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "UPDATE monitor SET feed_id = NULL WHERE account_id = $1 AND feed_id IN ({})",
        placeholders(2, feed_ids.len())
    );
    let ids = feed_ids.iter().map(|id| Value::from(*id));
    execute(connection, &sql, std::iter::once(Value::from(account_id)).chain(ids)).await?;
    Ok(())
}

/// Returns the collection of a new feed.
async fn collection_of(
    connection: &impl ConnectionTrait,
    now: Millis,
    feed: NewInternalFeed<'_>,
) -> Result<CollectionId> {
    if let Some(id) = feed.collection_id {
        let custom =
            rss_collection::Entity::owned_by(feed.account_id).filter(rss_collection::Column::Id.eq(id));
        if custom.count(connection).await? > 0 {
            return Ok(id);
        }
    }
    ensure_unsorted(connection, now, feed.account_id).await
}

/// Returns true if an account follows the feed. An unfollowed feed may still exist, because it has starred entries.
#[boxed]
pub async fn is_followed(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    feed_id: FeedId,
) -> Result<bool> {
    let own = rss_subscription::Entity::owned_by(account_id);
    let own = own.filter(rss_subscription::Column::FeedId.eq(feed_id));
    Ok(own.count(transaction).await? > 0)
}

/// Returns the number of newsletters that an account follows.
#[boxed]
pub async fn count_newsletters(transaction: &DatabaseTransaction, account_id: AccountId) -> Result<u64> {
    let sql = format!(
        "SELECT count(*) FROM rss_subscription s JOIN feed f ON f.id = s.feed_id WHERE s.account_id = $1 AND {}",
        SourceKind::Newsletter.condition("f")
    );
    Ok(u64::try_from(scalar(transaction, &sql, [account_id.into()]).await?).unwrap_or(0))
}

/// Changes the title and the URL of the feed of a monitor.
pub async fn rename(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    title: &str,
    url: &str,
) -> Result<()> {
    let sql = "UPDATE feed SET title = $1, url = $2 WHERE id = $3 AND kind = $4";
    execute(connection, sql, [title.into(), url.into(), feed_id.into(), MONITOR.into()]).await?;
    Ok(())
}

/// Replaces the URLs of entries for which `renewed` returns a new URL.
pub async fn relink(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    renewed: impl Fn(&str) -> Option<String>,
) -> Result<()> {
    let entries = feed_entry::Entity::find().filter(feed_entry::Column::FeedId.eq(feed_id));
    for entry in entries.all(connection).await? {
        if let Some(url) = entry.url.as_deref().and_then(&renewed) {
            let id = Set(entry.id);
            let search_text = search_text::of_entry(SearchFields {
                title: entry.title.as_deref(),
                summary: entry.summary.as_deref(),
                author: entry.author.as_deref(),
                url: Some(url.as_str()),
                content: entry.content.as_deref(),
                categories: &[],
            });
            let changed = feed_entry::ActiveModel {
                id,
                url: Set(Some(url)),
                search_text: Set(search_text),
                ..Default::default()
            };
            changed.update(connection).await?;
        }
    }
    Ok(())
}

/// Deletes internal feeds with their entries and read state. Starred entries are retained.
pub async fn remove(connection: &impl ConnectionTrait, feed_ids: &[FeedId]) -> Result<()> {
    for chunk in feed_ids.chunks(500) {
        let ids = || chunk.iter().map(|id| Value::from(*id));
        let parameters = placeholders(1, chunk.len());
        forget_notices(connection, chunk).await?;
        for table in ["rss_entry_mark", "rss_subscription", "rss_former_feed"] {
            execute(connection, &format!("DELETE FROM {table} WHERE feed_id IN ({parameters})"), ids())
                .await?;
        }
        let own =
            format!("SELECT f.id FROM feed f WHERE f.kind IN ({INTERNAL_KINDS}) AND f.id IN ({parameters})");
        let entries = format!(
            "DELETE FROM feed_entry WHERE feed_id IN ({own}) \
             AND NOT EXISTS (SELECT 1 FROM rss_star r WHERE r.entry_id = feed_entry.id)"
        );
        let feeds = format!(
            "DELETE FROM feed WHERE id IN ({own}) AND NOT EXISTS (SELECT 1 FROM rss_star r WHERE r.feed_id = feed.id)"
        );
        for sql in [entries, feeds] {
            execute(connection, &sql, ids()).await?;
        }
    }
    Ok(())
}

/// Deletes the unsent messages about the entries of these feeds.
async fn forget_notices(connection: &impl ConnectionTrait, feed_ids: &[FeedId]) -> Result<()> {
    let followers = rss_subscription::Entity::find()
        .filter(rss_subscription::Column::FeedId.is_in(feed_ids.iter().copied()));
    for row in followers.all(connection).await? {
        notices::forget_subscriptions(connection, row.account_id, &[row.id]).await?;
    }
    Ok(())
}

/// Records the health of the monitor of a feed. If the monitor starts or stops failing, an event is logged
/// for the follower.
#[boxed]
pub async fn record_health(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    health: Health,
) -> Result<()> {
    let (is_failing, kind) = match health {
        Health::Failing => (true, EventKind::SourceFailed),
        Health::Ok | Health::Stale | Health::Never => (false, EventKind::SourceRecovered),
    };
    let updated = feed::Entity::update_many()
        .set(feed::ActiveModel { is_failing: Set(is_failing), ..Default::default() })
        .filter(feed::Column::Id.eq(feed_id))
        .filter(feed::Column::Kind.eq(MONITOR))
        .filter(feed::Column::IsFailing.eq(!is_failing))
        .exec(transaction)
        .await?;
    if updated.rows_affected > 0 {
        log::record_source(transaction, now, feed_id, kind).await?;
    }
    Ok(())
}

/// Records that the monitors of these feeds succeeded. Logs the recovery of feeds that were failing.
#[boxed]
pub async fn record_recovery(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_ids: &[FeedId],
) -> Result<()> {
    for feed_id in failing(transaction, feed_ids).await? {
        record_health(transaction, now, feed_id, Health::Ok).await?;
    }
    Ok(())
}

/// Returns the given feeds that are recorded as failing.
async fn failing(connection: &impl ConnectionTrait, feed_ids: &[FeedId]) -> Result<Vec<FeedId>> {
    if feed_ids.is_empty() {
        return Ok(Vec::new());
    }
    let feeds = feed::Entity::find()
        .select_only()
        .column(feed::Column::Id)
        .filter(feed::Column::Id.is_in(feed_ids.to_vec()))
        .filter(feed::Column::Kind.eq(MONITOR))
        .filter(feed::Column::IsFailing.eq(true));
    Ok(feeds.into_tuple().all(connection).await?)
}

/// Returns the given feeds that are newsletters.
pub(super) async fn select_newsletters(
    connection: &impl ConnectionTrait,
    feed_ids: &[FeedId],
) -> Result<Vec<FeedId>> {
    let feeds = feed::Entity::find()
        .select_only()
        .column(feed::Column::Id)
        .filter(feed::Column::Id.is_in(feed_ids.to_vec()))
        .filter(feed::Column::Kind.eq(SourceKind::Newsletter.as_str()));
    Ok(feeds.into_tuple().all(connection).await?)
}

/// Returns true if a feed is internal. Internal feeds are not polled.
pub(super) async fn is_internal(connection: &impl ConnectionTrait, feed_id: FeedId) -> Result<bool> {
    let feed = feed::Entity::find_by_id(feed_id).filter(feed::Column::Kind.is_in(internal_kinds()));
    Ok(feed.count(connection).await? > 0)
}

fn internal_kinds() -> impl Iterator<Item = &'static str> {
    SourceKind::ALL.iter().filter(|kind| **kind != SourceKind::Feed).map(|kind| kind.as_str())
}
