//! Arrivals: new entries written once, changed ones brought up to date, and the articles behind them
//! asked for.

use std::collections::HashSet;

use entities::feed;
use entities::ids::{EntryId, FeedId};
use extract::feed::{EntryState, FoundEntry};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, Value};

use super::outcome::KNOWN;
use super::retention;
use super::rows::{execute, placeholders, statement};
use crate::articles::{self, Address};
use crate::clock::Millis;
use crate::error::Result;
use crate::handle::Domain;
use crate::jobs::{self, Priority};

/// The first poll of a feed keeps this many entries.
const FIRST_ENTRIES: usize = 100;
/// Entries written by one statement.
const ROWS_AT_ONCE: usize = 50;
/// PostgreSQL's lock under which entries get their ids, so that ids rise in the order of commits.
const ENTRY_ORDER_LOCK: i64 = 0x6665_6564;

/// What a body brings to a feed.
pub(super) struct News<'a> {
    feed_id: FeedId,
    /// New entries, oldest first so that ids rise with time.
    pub(super) fresh: Vec<&'a FoundEntry>,
    changed: Vec<(EntryId, &'a FoundEntry)>,
    /// The feed has so many entries that old ones may have to go.
    is_full: bool,
}

/// Sorts out what of a body is new or changed, by the `known` newest entries that it was compared with.
pub(super) async fn sort<'a>(
    transaction: &DatabaseTransaction,
    feed: &feed::Model,
    known: usize,
    entries: &'a [FoundEntry],
) -> Result<News<'a>> {
    let (mut fresh, mut changed) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry.state {
            EntryState::New => fresh.push(entry),
            EntryState::Changed { id } => changed.push((EntryId::new(id), entry)),
            EntryState::Same { .. } => {}
        }
    }
    if fresh.iter().all(|entry| entry.published.is_some()) {
        fresh.sort_by_key(|entry| std::cmp::Reverse(entry.published));
    }
    if feed.body_hash == 0 {
        fresh.truncate(FIRST_ENTRIES);
    }
    fresh.reverse();
    let is_full = known >= KNOWN as usize;
    if is_full && !fresh.is_empty() {
        let stored = stored_keys(transaction, feed.id, &fresh).await?;
        fresh.retain(|entry| !stored.contains(&entry.key));
    }
    Ok(News { feed_id: feed.id, fresh, changed, is_full })
}

/// Which of these are stored after all: older than the entries that a body is compared with.
async fn stored_keys(
    transaction: &DatabaseTransaction,
    feed_id: FeedId,
    entries: &[&FoundEntry],
) -> Result<HashSet<i64>> {
    let sql = format!(
        "SELECT entry_key FROM feed_entry WHERE feed_id = $1 AND entry_key IN ({})",
        placeholders(2, entries.len())
    );
    let mut values: Vec<Value> = vec![feed_id.into()];
    values.extend(entries.iter().map(|entry| entry.key.into()));
    let rows = transaction.query_all_raw(statement(transaction, &sql, values)).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

/// Writes what bodies have brought: changed entries brought up to date, new ones written once.
pub(super) async fn write(transaction: &DatabaseTransaction, now: Millis, news: &[News<'_>]) -> Result<()> {
    for (id, entry) in news.iter().flat_map(|news| &news.changed) {
        update_entry(transaction, now, *id, entry).await?;
    }
    let fresh: Vec<(FeedId, &FoundEntry)> =
        news.iter().flat_map(|news| news.fresh.iter().map(|entry| (news.feed_id, *entry))).collect();
    if fresh.is_empty() {
        return Ok(());
    }
    lock_order(transaction).await?;
    for chunk in fresh.chunks(ROWS_AT_ONCE) {
        insert_entries(transaction, now, chunk).await?;
    }
    for full in news.iter().filter(|news| news.is_full && !news.fresh.is_empty()) {
        retention::trim(transaction, now, full.feed_id).await?;
    }
    for grown in news.iter().filter(|news| !news.fresh.is_empty()) {
        retention::bound(transaction, grown.feed_id).await?;
    }
    metrics::counter!("carrel_feed_entries_total").increment(fresh.len() as u64);
    Ok(())
}

/// Waits for the turn to give ids to entries, which lasts until the end of the transaction. SQLite has one
/// writer anyway.
pub(super) async fn lock_order(transaction: &DatabaseTransaction) -> Result<()> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        let lock = format!("SELECT pg_advisory_xact_lock({ENTRY_ORDER_LOCK})");
        transaction.execute_unprepared(&lock).await?;
    }
    Ok(())
}

const COLUMNS: [&str; 17] = [
    "feed_id",
    "entry_key",
    "mark_guid",
    "mark_url",
    "mark_title",
    "mark_published",
    "fingerprint",
    "url",
    "title",
    "summary",
    "author",
    "image_url",
    "published_at",
    "updated_at",
    "discovered_at",
    "changed_at",
    "content",
];

async fn insert_entries(
    transaction: &DatabaseTransaction,
    now: Millis,
    entries: &[(FeedId, &FoundEntry)],
) -> Result<()> {
    let groups: Vec<String> = (0..entries.len())
        .map(|at| format!("({})", placeholders(1 + at * COLUMNS.len(), COLUMNS.len())))
        .collect();
    let sql = format!(
        "INSERT INTO feed_entry ({}) VALUES {} ON CONFLICT (feed_id, entry_key) DO NOTHING",
        COLUMNS.join(", "),
        groups.join(", ")
    );
    let mut values: Vec<Value> = Vec::with_capacity(entries.len() * COLUMNS.len());
    for (feed_id, entry) in entries {
        let marks = entry.marks;
        values.extend([
            (*feed_id).into(),
            entry.key.into(),
            marks.guid.into(),
            marks.url.into(),
            marks.title.into(),
            marks.published.into(),
            marks.fingerprint.into(),
        ]);
        values.extend([
            entry.url.clone().into(),
            entry.title.clone().into(),
            entry.summary.clone().into(),
            entry.author.clone().into(),
            entry.image_url.clone().into(),
            entry.published.into(),
            entry.updated.into(),
            now.into(),
            Option::<i64>::None.into(),
            body(entry).into(),
        ]);
    }
    execute(transaction, &sql, values).await?;
    Ok(())
}

async fn update_entry(
    transaction: &DatabaseTransaction,
    now: Millis,
    id: EntryId,
    entry: &FoundEntry,
) -> Result<()> {
    let sql = "UPDATE feed_entry SET mark_guid = $1, mark_url = $2, mark_title = $3, mark_published = $4, \
        fingerprint = $5, url = $6, title = $7, summary = $8, author = $9, image_url = $10, published_at = $11, \
        updated_at = $12, changed_at = $13, content = $14 WHERE id = $15";
    let marks = entry.marks;
    let values: [Value; 15] = [
        marks.guid.into(),
        marks.url.into(),
        marks.title.into(),
        marks.published.into(),
        marks.fingerprint.into(),
        entry.url.clone().into(),
        entry.title.clone().into(),
        entry.summary.clone().into(),
        entry.author.clone().into(),
        entry.image_url.clone().into(),
        entry.published.into(),
        entry.updated.into(),
        now.into(),
        body(entry).into(),
        id.into(),
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}

/// The longer of an entry's two texts: some feeds give the whole one under the short one's name.
fn body(entry: &FoundEntry) -> Option<String> {
    let texts = [&entry.content_html, &entry.summary_html];
    texts.into_iter().flatten().max_by_key(|text| text.len()).cloned()
}

/// Asks for the articles behind new entries, behind everything that somebody waits for. What is refused is tried
/// when somebody reads the entry's article; it must not fail the poll.
pub(super) async fn ask_for_texts(domain: &Domain, urls: Vec<String>) -> Vec<jobs::Submitted> {
    let mut submitted = Vec::new();
    for url in urls {
        let Ok(address) = Address::parse(domain, &url) else { continue };
        match articles::submit(domain, &address, Priority::Low).await {
            Ok(job) => submitted.push(job),
            Err(error) => tracing::debug!(%error, "the article of an entry is not asked for now"),
        }
    }
    submitted
}
