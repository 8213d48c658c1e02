//! Writes new entries to any number of internal feeds, with one statement per kind of row.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;

use entities::ids::FeedId;
use entities::{feed, feed_entry};
use extract::feed::{Marks, ParsedEntry};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use super::super::entry::{derive_fields, row_of};
use super::super::ingest::ROWS_PER_INSERT;
use super::super::log;
use super::super::notice_requests;
use super::super::order::{WritePosition, lock_position};
use super::super::retention;
use super::super::rules::{self, Decisions, EntryFields};
use kernel::{Error, Millis, Result};

/// A new entry of an internal feed.
#[derive(Clone, Debug)]
pub struct NewEntry {
    /// Key of the entry within the feed. If an entry with this key exists, the new entry is not written.
    pub key: i64,
    /// Page to which the entry links.
    pub url: String,
    /// Title as one line of plain text.
    pub title: String,
    pub author: Option<String>,
    /// Summary as a few lines of plain text.
    pub summary: String,
    /// Content as sanitised markup.
    pub content: String,
    /// Time of the event.
    pub published_at: Millis,
}

/// New entries of one feed. The oldest comes first, so that ids increase with time.
#[derive(Debug)]
pub struct FeedArrivals {
    pub feed_id: FeedId,
    pub entries: Vec<NewEntry>,
}

/// Writes entries to the given feeds that are followed. Evaluates the rules of the followers before taking
/// the order lock, because rules may take some time.
#[boxed]
pub async fn append(transaction: &DatabaseTransaction, now: Millis, news: Vec<FeedArrivals>) -> Result<()> {
    let news = merge_by_feed(news);
    if news.is_empty() {
        return Ok(());
    }
    let feed_ids: Vec<FeedId> = news.iter().map(|news| news.feed_id).collect();
    let mut followed = rules::followed(transaction, &feed_ids).await?;
    let (mut decided, mut written) = (Vec::new(), Vec::new());
    for news in news {
        if let Some(rules) = followed.remove(&news.feed_id) {
            let decisions = rules::decide_with(rules, now, news.feed_id, || news.fields_by_key()).await?;
            decided.push((news.feed_id, decisions));
            written.push(news);
        }
    }
    if written.is_empty() {
        return Ok(());
    }
    // Texts are parsed on a blocking thread.
    let rows = move || written.into_iter().flat_map(FeedArrivals::into_rows).collect();
    let rows = tokio::task::spawn_blocking(rows).await.map_err(Error::internal)?;
    let position = lock_position(transaction, now).await?;
    insert(transaction, rows, position.next_us).await?;
    write_related(transaction, now, &position, &decided).await
}

/// Merges arrivals so that each feed occurs only once. Feeds without entries are omitted.
fn merge_by_feed(news: Vec<FeedArrivals>) -> Vec<FeedArrivals> {
    let mut indexes: HashMap<FeedId, usize> = HashMap::with_capacity(news.len());
    let mut all: Vec<FeedArrivals> = Vec::with_capacity(news.len());
    for mut news in news.into_iter().filter(|news| !news.entries.is_empty()) {
        if let Some(before) = indexes.get(&news.feed_id).and_then(|index| all.get_mut(*index)) {
            before.entries.append(&mut news.entries);
        } else {
            indexes.insert(news.feed_id, all.len());
            all.push(news);
        }
    }
    all
}

/// Inserts entries. Their discovery times start at `first_us`.
async fn insert(
    transaction: &DatabaseTransaction,
    rows: Vec<feed_entry::ActiveModel>,
    first_us: i64,
) -> Result<()> {
    let known = [feed_entry::Column::FeedId, feed_entry::Column::EntryKey];
    let mut rows = rows.into_iter().zip(first_us..).peekable();
    while rows.peek().is_some() {
        let chunk = rows.by_ref().take(ROWS_PER_INSERT);
        let chunk = chunk.map(|(row, at)| feed_entry::ActiveModel { discovered_us: Set(at), ..row });
        feed_entry::Entity::insert_many(chunk)
            .on_conflict(OnConflict::columns(known).do_nothing().to_owned())
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

/// Writes the rows that depend on inserted entries: marks set by rules, events, notice requests, and the times of the
/// feeds.
async fn write_related(
    transaction: &DatabaseTransaction,
    now: Millis,
    position: &WritePosition,
    decided: &[(FeedId, Decisions)],
) -> Result<()> {
    for (feed_id, decisions) in decided {
        rules::write(transaction, now, *feed_id, decisions).await?;
        rules::request_notices(transaction, *feed_id, position.last_entry, decisions).await?;
    }
    let feed_ids: Vec<FeedId> = decided.iter().map(|(feed_id, _)| *feed_id).collect();
    log::record_arrivals_from(transaction, position.next_event, &feed_ids, position.last_entry).await?;
    let arrived: Vec<_> = feed_ids.iter().map(|feed_id| (*feed_id, position.last_entry)).collect();
    notice_requests::request(transaction, now, &arrived).await?;
    feed::Entity::update_many()
        .set(feed::ActiveModel {
            last_fetched_at: Set(Some(now)),
            last_new_at: Set(Some(now)),
            ..Default::default()
        })
        .filter(feed::Column::Id.is_in(feed_ids.iter().copied()))
        .exec(transaction)
        .await?;
    retention::trim_internal(transaction, now, &feed_ids).await
}

impl FeedArrivals {
    /// Returns the contents of the entries, by entry key.
    fn fields_by_key(&self) -> Vec<(i64, EntryFields)> {
        let text = |text: &str| Some(text.to_owned());
        let fields = |entry: &NewEntry| EntryFields {
            title: text(&entry.title),
            author: entry.author.clone(),
            summary: text(&entry.summary),
            content: text(&entry.content),
            url: text(&entry.url),
            published_at: Some(entry.published_at),
            ..EntryFields::default()
        };
        self.entries.iter().map(|entry| (entry.key, fields(entry))).collect()
    }

    fn into_rows(self) -> impl Iterator<Item = feed_entry::ActiveModel> {
        let feed_id = self.feed_id;
        self.entries.into_iter().map(move |entry| entry.into_row(feed_id))
    }
}

impl NewEntry {
    /// Builds the row of the entry, without its discovery time. The entry belongs to no story.
    fn into_row(self, feed_id: FeedId) -> feed_entry::ActiveModel {
        let entry = ParsedEntry {
            marks: Marks { guid: self.key, ..Marks::default() },
            url: Some(self.url),
            title: Some(self.title),
            author: self.author,
            summary: Some(self.summary),
            content_html: Some(self.content),
            published: Some(self.published_at),
            ..ParsedEntry::default()
        };
        feed_entry::ActiveModel {
            feed_id: Set(feed_id),
            entry_key: Set(self.key),
            story_signature: Set(None),
            ..row_of(&entry, derive_fields(&entry))
        }
    }
}

#[cfg(test)]
mod tests;
