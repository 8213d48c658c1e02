//! Feeds that are written rather than polled: what has news of its own, as a monitor has, is among its owner's
//! feeds by one. Such a feed belongs to one account, is never due, does not count as a subscription, and
//! nobody else can follow it. This is the only door through which other rooms write feeds.

use entities::ids::{AccountId, EntryId, FeedId};
use entities::{feed, feed_entry, rss_subscription};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    PaginatorTrait, QueryFilter, QuerySelect, Value,
};

use super::collections::ensure_unsorted;
use super::health::Health;
use super::log::{self, EventKind};
use super::order::{lock_order, next_time};
use super::retention;
use super::rules::{self, Said};
use super::search_text::{self, Own};
use super::source_kind::SourceKind;
use super::sql::{execute, last_entry, placeholders};
use crate::clock::Millis;
use crate::error::Result;

/// The kind of these feeds, in the row and on the wire.
pub(crate) const KIND: &str = SourceKind::Monitor.as_str();

/// A feed to be written from now on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewFeed<'a> {
    /// Whose it is.
    pub(crate) account_id: AccountId,
    /// Its own address.
    pub(crate) url: &'a str,
    /// The page that it is about.
    pub(crate) site_url: &'a str,
    /// That page's host.
    pub(crate) host: &'a str,
    /// Its name.
    pub(crate) title: &'a str,
}

/// An entry of such a feed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewEntry<'a> {
    /// What it is known by within the feed: an entry that is there already is not written again.
    pub(crate) key: i64,
    /// Where a reader is led.
    pub(crate) url: &'a str,
    /// One plain line.
    pub(crate) title: &'a str,
    /// A few plain lines.
    pub(crate) summary: &'a str,
    /// Clean markup.
    pub(crate) content: &'a str,
    /// When it happened.
    pub(crate) published_at: Millis,
}

/// Makes a feed that its owner follows; returns its id.
pub(crate) async fn create(
    connection: &impl ConnectionTrait,
    now: Millis,
    feed: NewFeed<'_>,
) -> Result<FeedId> {
    let row = feed::ActiveModel {
        url: Set(feed.url.to_owned()),
        host: Set(feed.host.to_owned()),
        kind: Set(Some(KIND.to_owned())),
        site_url: Set(Some(feed.site_url.to_owned())),
        title: Set(Some(feed.title.to_owned())),
        trust_guid: Set(true),
        trust_url: Set(false),
        gone: Set(false),
        last_fetched_at: Set(Some(now)),
        created_at: Set(now),
        ..Default::default()
    };
    let feed_id = row.insert(connection).await?.id;
    let row = rss_subscription::ActiveModel {
        account_id: Set(feed.account_id),
        feed_id: Set(feed_id),
        collection_id: Set(ensure_unsorted(connection, now, feed.account_id).await?),
        full_text: Set(false),
        read_through: Set(EntryId::new(0)),
        created_at: Set(now),
        followed_sequence: Set(log::last(connection).await?),
        ..Default::default()
    };
    row.insert(connection).await?;
    Ok(feed_id)
}

/// Gives a feed another name and address.
pub(crate) async fn rename(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    title: &str,
    url: &str,
) -> Result<()> {
    let sql = "UPDATE feed SET title = $1, url = $2 WHERE id = $3 AND kind = $4";
    execute(connection, sql, [title.into(), url.into(), feed_id.into(), KIND.into()]).await?;
    Ok(())
}

/// Gives entries other addresses, where `renewed` knows one for theirs.
pub(crate) async fn relink(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    renewed: impl Fn(&str) -> Option<String>,
) -> Result<()> {
    let entries = feed_entry::Entity::find().filter(feed_entry::Column::FeedId.eq(feed_id));
    for entry in entries.all(connection).await? {
        if let Some(url) = entry.url.as_deref().and_then(&renewed) {
            let id = Set(entry.id);
            let search_text = search_text::of_entry(Own {
                title: entry.title.as_deref(),
                summary: entry.summary.as_deref(),
                author: entry.author.as_deref(),
                url: Some(url.as_str()),
                content: entry.content.as_deref(),
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

/// Takes feeds away, with their entries and what was read of them. Entries with a star stay.
pub(crate) async fn remove(connection: &impl ConnectionTrait, feed_ids: &[FeedId]) -> Result<()> {
    for chunk in feed_ids.chunks(500) {
        let ids = || chunk.iter().map(|id| Value::from(*id));
        let places = placeholders(1, chunk.len());
        for table in ["rss_entry_mark", "rss_subscription"] {
            execute(connection, &format!("DELETE FROM {table} WHERE feed_id IN ({places})"), ids()).await?;
        }
        let own = format!("SELECT f.id FROM feed f WHERE f.kind = '{KIND}' AND f.id IN ({places})");
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

/// Writes entries, oldest first so that ids rise with time, if the feed is still followed.
pub(crate) async fn append(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    entries: &[NewEntry<'_>],
) -> Result<()> {
    let followers = rss_subscription::Entity::find().filter(rss_subscription::Column::FeedId.eq(feed_id));
    if entries.is_empty() || followers.count(transaction).await? == 0 {
        return Ok(());
    }
    let said = |entry: &NewEntry<'_>| {
        let text = |text: &str| Some(text.to_owned());
        let (title, summary, content) = (text(entry.title), text(entry.summary), text(entry.content));
        (entry.key, Said { title, author: None, summary, content })
    };
    let decisions = rules::decide(transaction, feed_id, || entries.iter().map(said).collect()).await?;
    lock_order(transaction).await?;
    let first_us = next_time(transaction, now).await?;
    let last = last_entry(transaction, feed_id).await?;
    for (entry, discovered_us) in entries.iter().zip(first_us..) {
        let row = feed_entry::ActiveModel {
            feed_id: Set(feed_id),
            entry_key: Set(entry.key),
            mark_guid: Set(entry.key),
            mark_url: Set(0),
            mark_title: Set(0),
            mark_published: Set(0),
            fingerprint: Set(0),
            url: Set(Some(entry.url.to_owned())),
            title: Set(Some(entry.title.to_owned())),
            summary: Set(Some(entry.summary.to_owned())),
            published_at: Set(Some(entry.published_at)),
            discovered_us: Set(discovered_us),
            content: Set(Some(entry.content.to_owned())),
            search_text: Set(search_text::of_entry(Own {
                title: Some(entry.title),
                summary: Some(entry.summary),
                author: None,
                url: Some(entry.url),
                content: Some(entry.content),
            })),
            ..Default::default()
        };
        let known = [feed_entry::Column::FeedId, feed_entry::Column::EntryKey];
        feed_entry::Entity::insert(row)
            .on_conflict(OnConflict::columns(known).do_nothing().to_owned())
            .exec_without_returning(transaction)
            .await?;
    }
    rules::write(transaction, now, feed_id, &decisions).await?;
    log::note_arrivals(transaction, now, feed_id, last).await?;
    let seen = feed::ActiveModel {
        id: Set(feed_id),
        last_fetched_at: Set(Some(now)),
        last_new_at: Set(Some(now)),
        ..Default::default()
    };
    seen.update(transaction).await?;
    retention::trim_written(transaction, now, feed_id).await?;
    Ok(())
}

/// Notes whether what writes a feed fails; when that is another state than before, its follower is told.
pub(crate) async fn note_health(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    health: Health,
) -> Result<()> {
    let (is_failing, kind) = match health {
        Health::Failing => (true, EventKind::SourceFailed),
        Health::Ok | Health::Stale | Health::Never => (false, EventKind::SourceRecovered),
    };
    let turned = feed::Entity::update_many()
        .set(feed::ActiveModel { is_failing: Set(is_failing), ..Default::default() })
        .filter(feed::Column::Id.eq(feed_id))
        .filter(feed::Column::Kind.eq(KIND))
        .filter(feed::Column::IsFailing.eq(!is_failing))
        .exec(transaction)
        .await?;
    if turned.rows_affected > 0 {
        log::note_source(transaction, now, feed_id, kind).await?;
    }
    Ok(())
}

/// Those of these feeds of which it was told that what writes them fails.
pub(crate) async fn failing(connection: &impl ConnectionTrait, feed_ids: &[FeedId]) -> Result<Vec<FeedId>> {
    if feed_ids.is_empty() {
        return Ok(Vec::new());
    }
    let feeds = feed::Entity::find()
        .select_only()
        .column(feed::Column::Id)
        .filter(feed::Column::Id.is_in(feed_ids.to_vec()))
        .filter(feed::Column::Kind.eq(KIND))
        .filter(feed::Column::IsFailing.eq(true));
    Ok(feeds.into_tuple().all(connection).await?)
}

/// Those of these feeds that are of this kind.
pub(super) async fn of_kind(connection: &impl ConnectionTrait, feed_ids: &[FeedId]) -> Result<Vec<FeedId>> {
    let feeds = feed::Entity::find()
        .select_only()
        .column(feed::Column::Id)
        .filter(feed::Column::Id.is_in(feed_ids.to_vec()))
        .filter(feed::Column::Kind.eq(KIND));
    Ok(feeds.into_tuple().all(connection).await?)
}

/// Whether a feed is of this kind: its entries come by themselves, there is nothing to ask for.
pub(super) async fn is_pushed(connection: &impl ConnectionTrait, feed_id: FeedId) -> Result<bool> {
    let feed = feed::Entity::find_by_id(feed_id).filter(feed::Column::Kind.eq(KIND));
    Ok(feed.count(connection).await? > 0)
}
