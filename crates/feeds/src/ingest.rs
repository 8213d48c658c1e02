//! Stores the entries of fetched bodies: inserts each new entry once, and updates changed entries.

use std::collections::{HashMap, HashSet};

use entities::ids::{EntryId, FeedId};
use entities::{feed, feed_entry};
use extract::feed::{EntryState, FeedKind, Marks, OlderEntry, ParsedEntry, ParsedFeed};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set},
    ColumnTrait, DatabaseTransaction, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};

use super::dropped_entries;
use super::entry::{body, categories_json, derive_fields, enclosures_json, episode_json, row_of};
use super::full_text;
use super::log;
use super::notice_requests;
use super::order::{lock_order, next_time};
use super::outcome::{Compared, DerivedFieldsByRank, MAX_KNOWN};
use super::relocation;
use super::retention;
use super::rules::{self, Decisions, EntryFields};
use super::search_text;
use super::sql::{execute, last_entry, value_rows};
use kernel::clock::{DAY, HOUR};
use kernel::hash::hash64;
use kernel::{Error, Millis, Result};

/// Maximum number of entries that the first poll of a feed stores.
const FIRST_POLL_ENTRIES: usize = 100;
/// Maximum number of new entries per feed and hour.
const ENTRIES_PER_HOUR: usize = 300;
/// Minimum time between two reported changes of an entry, in milliseconds.
const MIN_CHANGE_INTERVAL: Millis = 6 * HOUR;
/// Maximum number of entries per poll whose changed marks are written although nothing else changed.
const MAX_REMARKED: usize = 500;
/// Number of newest entries of a body whose podcast data and categories are compared with the stored ones even if
/// nothing else changed.
const DETAILS_COMPARED: u32 = 100;
/// Number of newest entries of a body whose files are compared, too. Signed URLs of files change with each poll, and each
/// difference rewrites a row with its texts.
const FILES_COMPARED: u32 = 10;
/// Number of keys per query.
const KEYS_PER_QUERY: usize = 1_000;
/// Number of entries per statement.
pub(super) const ROWS_PER_INSERT: usize = 50;
/// Publication times that are further in the future than this are ignored. In milliseconds.
const MAX_AHEAD: Millis = DAY;

/// Row of a new entry with its key.
type KeyedRow = (i64, feed_entry::ActiveModel);

/// New entry with its key, which is unique within the feed.
#[derive(Clone, Copy)]
pub(super) struct FreshEntry<'a> {
    key: i64,
    entry: &'a ParsedEntry,
}

/// Columns of an entry with its attached files.
struct StoredFiles {
    enclosures: Option<String>,
    episode: Option<String>,
    /// URL of an entry without a page: that of its first file.
    url: Option<String>,
}

/// Entry with its files.
type EntryFiles = (EntryId, StoredFiles);

impl StoredFiles {
    fn of(entry: &ParsedEntry) -> Self {
        Self { enclosures: enclosures_json(entry), episode: episode_json(entry), url: entry.url.clone() }
    }
}

/// New and changed entries of a fetched body.
pub(super) struct FeedDelta<'a> {
    feed: &'a feed::Model,
    derived_fields: &'a DerivedFieldsByRank,
    /// New entries. The oldest comes first, so that ids increase with time.
    pub(super) fresh: Vec<FreshEntry<'a>>,
    changed: Vec<(EntryId, &'a ParsedEntry)>,
    /// Files and podcast data of unchanged entries of rank below [`FILES_COMPARED`]. Publishers replace the files of
    /// published episodes, and add transcripts and chapters, and remove them.
    files: Vec<EntryFiles>,
    /// Podcast data of the other unchanged entries of rank below [`DETAILS_COMPARED`]. `None` if an entry has none.
    episodes: Vec<(EntryId, Option<String>)>,
    /// The newest unchanged entries, whose categories may differ from the stored ones. `None` if the format of the body
    /// has no categories: entries then retain the stored ones.
    categorized: Option<Vec<(EntryId, &'a ParsedEntry)>>,
    /// Stored entries with changes only in their marks, and dropped entries that changed. The ids of dropped
    /// entries are negative.
    remarked: Vec<(i64, Marks)>,
    /// Row ids of the dropped entries that the body contains.
    present: Vec<i64>,
    /// Entries in the body that will not be stored.
    dropped: Vec<(i64, Marks)>,
    /// True if some new entries are left for a subsequent poll.
    pub(super) is_postponed: bool,
    /// True if a follower requests the articles to which the entries link.
    pub(super) wants_texts: bool,
    /// True if the feed has so many entries that old entries may have to be deleted.
    is_full: bool,
}

impl FeedDelta<'_> {
    /// Returns the contents of the new entries, by entry key.
    fn fields_by_key(&self, now: Millis) -> Vec<(i64, EntryFields)> {
        let fields = |entry: &ParsedEntry| EntryFields {
            title: entry.title.clone(),
            author: entry.author.clone(),
            summary: entry.summary.clone(),
            content: body(entry),
            url: entry.url.clone(),
            enclosures: entry.enclosures.clone(),
            categories: entry.categories.names.clone(),
            is_ahead: [entry.published, entry.updated].into_iter().flatten().any(|at| at > now + MAX_AHEAD),
            published_at: plausible(entry.published, now).or_else(|| plausible(entry.updated, now)),
        };
        self.fresh.iter().map(|fresh| (fresh.key, fields(fresh.entry))).collect()
    }
}

/// Derives the fields of the entries that may be written. Runs on a blocking thread and before the
/// transaction, because a long transaction on SQLite blocks all other writers.
pub(super) async fn derive_all_fields(
    parsed: ParsedFeed,
    is_first_poll: bool,
) -> Result<(ParsedFeed, DerivedFieldsByRank)> {
    let work = move || {
        let written = parsed.entries.iter().filter(|entry| is_written(entry, is_first_poll));
        let derived = written.map(|entry| (entry.rank, derive_fields(entry))).collect();
        (parsed, derived)
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}

/// True if an entry may be written.
pub(super) fn is_written(entry: &ParsedEntry, is_first_poll: bool) -> bool {
    match entry.state {
        EntryState::New => {
            !is_first_poll || usize::try_from(entry.rank).is_ok_and(|rank| rank < FIRST_POLL_ENTRIES)
        }
        EntryState::Changed { .. } => true,
        EntryState::Remarked { .. } | EntryState::Same { .. } => false,
    }
}

/// Classifies the entries of a body as new, changed, or dropped.
pub(super) async fn classify<'a>(
    transaction: &DatabaseTransaction,
    feed: &'a feed::Model,
    now: Millis,
    compared: Compared,
    parsed: &'a ParsedFeed,
    derived_fields: &'a DerivedFieldsByRank,
) -> Result<FeedDelta<'a>> {
    let (mut fresh, mut changed, mut unchanged) = (Vec::new(), Vec::new(), Vec::new());
    let last_fixed = Ord::max(feed.fixed_through.as_i64(), 0);
    for entry in &parsed.entries {
        match entry.state {
            EntryState::New => fresh.push(entry),
            EntryState::Changed { id } if id > 0 => changed.push((EntryId::new(id), entry)),
            // Files, podcast data and categories of fixed entries are not updated.
            EntryState::Same { id } if id > last_fixed && entry.rank < DETAILS_COMPARED => {
                unchanged.push((EntryId::new(id), entry));
            }
            EntryState::Changed { .. } | EntryState::Remarked { .. } | EntryState::Same { .. } => {}
        }
    }
    let (files, episodes) = files_and_episodes(parsed, &unchanged);
    let categorized = (parsed.kind != Some(FeedKind::Converted)).then_some(unchanged);
    let older = parsed.older.iter();
    let present: Vec<i64> =
        older.clone().filter_map(|entry| dropped_entries::dropped_id(entry.state)).collect();
    let remarked = remarked_entries(older.clone());
    let mut dropped = unknown_entries(transaction, feed, older).await?;
    fresh.sort_by_key(|entry| entry.rank);
    if feed.last_fetched_at.is_none() {
        let beyond = fresh.split_off(fresh.len().min(FIRST_POLL_ENTRIES));
        dropped.extend(beyond.iter().map(|entry| (entry.key, entry.marks)));
    }
    fresh.reverse();
    let is_full = compared.count >= MAX_KNOWN as usize;
    let mut fresh = assign_keys(transaction, feed.id, now, compared, fresh).await?;
    let capacity = remaining_capacity(transaction, feed.id, now, fresh.len()).await?;
    let is_postponed = fresh.len() > capacity || parsed.postponed > 0;
    fresh.truncate(capacity);
    Ok(FeedDelta {
        feed,
        derived_fields,
        fresh,
        changed,
        files,
        episodes,
        categorized,
        remarked,
        present,
        dropped,
        is_postponed,
        wants_texts: false,
        is_full,
    })
}

/// Returns the files of the newest unchanged entries, and the podcast data of the other ones. Empty if no entry of the
/// body has any.
fn files_and_episodes(
    parsed: &ParsedFeed,
    unchanged: &[(EntryId, &ParsedEntry)],
) -> (Vec<EntryFiles>, Vec<(EntryId, Option<String>)>) {
    let has_episodes = parsed.entries.iter().any(|entry| entry.episode.is_some());
    let has_files = has_episodes || parsed.entries.iter().any(|entry| !entry.enclosures.is_empty());
    let (mut files, mut episodes) = (Vec::new(), Vec::new());
    for (id, entry) in unchanged {
        if entry.rank < FILES_COMPARED {
            if has_files {
                files.push((*id, StoredFiles::of(entry)));
            }
        } else if has_episodes {
            episodes.push((*id, episode_json(entry)));
        }
    }
    (files, episodes)
}

/// Assigns each new entry a key that no other entry of the feed has. Omits an entry that is already stored
/// but older than the entries with which the body was compared.
async fn assign_keys<'a>(
    transaction: &DatabaseTransaction,
    feed_id: FeedId,
    now: Millis,
    compared: Compared,
    fresh: Vec<&'a ParsedEntry>,
) -> Result<Vec<FreshEntry<'a>>> {
    let stored = if compared.count == 0 {
        HashMap::new()
    } else {
        stored_keys(transaction, feed_id, fresh.iter().map(|entry| entry.key)).await?
    };
    let (mut taken, mut with_keys) = (HashSet::new(), Vec::with_capacity(fresh.len()));
    for (at, entry) in fresh.into_iter().enumerate() {
        let holder = stored.get(&entry.key);
        if holder.is_some_and(|holder| holder.id < compared.from && holder.is_the_same(entry)) {
            continue;
        }
        let is_free = holder.is_none() && taken.insert(entry.key);
        // Another entry has, or had, the same best mark.
        let key = if is_free { entry.key } else { hash64(format!("{} {now} {at}", entry.key).as_bytes()) };
        with_keys.push(FreshEntry { key, entry });
    }
    Ok(with_keys)
}

/// Stored entry that uses a key.
struct KeyHolder {
    id: EntryId,
    fingerprint: i64,
}

impl KeyHolder {
    /// Returns true if `entry` and the stored entry with its key are the same entry. A guid or URL is trusted
    /// to be unique, but several entries may have the same title and time, such as notes without a date.
    fn is_the_same(&self, entry: &ParsedEntry) -> bool {
        let Marks { guid, url, fingerprint, .. } = entry.marks;
        [guid, url].contains(&entry.key) || self.fingerprint == fingerprint
    }
}

/// Returns the stored entries with changes only in their marks, and the dropped entries that changed.
fn remarked_entries<'a>(older: impl Iterator<Item = &'a OlderEntry>) -> Vec<(i64, Marks)> {
    let remarked = older.filter_map(|entry| match entry.state {
        EntryState::Remarked { id } => Some((id, entry.marks)),
        EntryState::Changed { id } if id < 0 => Some((id, entry.marks)),
        EntryState::New | EntryState::Same { .. } | EntryState::Changed { .. } => None,
    });
    remarked.take(MAX_REMARKED).collect()
}

/// Returns the number of new entries that the feed may store now.
async fn remaining_capacity(
    transaction: &DatabaseTransaction,
    feed_id: FeedId,
    now: Millis,
    incoming: usize,
) -> Result<usize> {
    if incoming == 0 {
        return Ok(0);
    }
    let newest = feed_entry::Entity::find()
        .select_only()
        .column(feed_entry::Column::DiscoveredUs)
        .filter(feed_entry::Column::FeedId.eq(feed_id))
        .order_by_desc(feed_entry::Column::Id)
        .limit(ENTRIES_PER_HOUR as u64);
    let times: Vec<i64> = newest.into_tuple().all(transaction).await?;
    // Entries with a time in the future were written before a clock was set back.
    let hour = (now - HOUR) * 1000..(now + HOUR) * 1000;
    let taken = times.iter().filter(|at| hour.contains(at)).count();
    Ok(ENTRIES_PER_HOUR - taken.min(ENTRIES_PER_HOUR))
}

/// Returns the older entries of a body that are neither stored nor known as dropped.
async fn unknown_entries(
    transaction: &DatabaseTransaction,
    feed: &feed::Model,
    older: impl Iterator<Item = &OlderEntry>,
) -> Result<Vec<(i64, Marks)>> {
    let new: Vec<(i64, Marks)> =
        older.filter(|entry| entry.state == EntryState::New).map(|entry| (entry.key, entry.marks)).collect();
    if new.is_empty() || feed.last_fetched_at.is_none() {
        return Ok(new);
    }
    let stored = stored_keys(transaction, feed.id, new.iter().map(|(key, _)| *key)).await?;
    Ok(new.into_iter().filter(|(key, _)| !stored.contains_key(key)).collect())
}

/// Returns the stored entries that have one of these keys, by key.
async fn stored_keys(
    transaction: &DatabaseTransaction,
    feed_id: FeedId,
    keys: impl Iterator<Item = i64>,
) -> Result<HashMap<i64, KeyHolder>> {
    let keys: Vec<i64> = keys.collect();
    let mut stored = HashMap::new();
    for chunk in keys.chunks(KEYS_PER_QUERY) {
        let rows = feed_entry::Entity::find()
            .select_only()
            .columns([feed_entry::Column::EntryKey, feed_entry::Column::Id, feed_entry::Column::Fingerprint])
            .filter(feed_entry::Column::FeedId.eq(feed_id))
            .filter(feed_entry::Column::EntryKey.is_in(chunk.iter().copied()));
        let rows: Vec<(i64, EntryId, i64)> = rows.into_tuple().all(transaction).await?;
        let holder = |(key, id, fingerprint)| (key, KeyHolder { id, fingerprint });
        stored.extend(rows.into_iter().map(holder));
    }
    Ok(stored)
}

/// Writes fetched bodies: updates changed entries and inserts new entries.
pub(super) async fn write(
    transaction: &DatabaseTransaction,
    now: Millis,
    news: &[FeedDelta<'_>],
) -> Result<()> {
    let mut changed = Vec::new();
    let mut fresh = Vec::with_capacity(news.len());
    for news in news {
        let entries = news.changed.iter().map(|(_, entry)| *entry);
        let entries = entries.chain(news.fresh.iter().map(|fresh| fresh.entry));
        let mut rows = entries.map(|entry| derived_row(entry, news.derived_fields, now));
        let texts = texts_of(transaction, &news.changed).await?;
        for ((id, _), mut row) in news.changed.iter().zip(rows.by_ref()) {
            retain_stored(&mut row, texts.get(id), news.categorized.is_some());
            feed_entry::ActiveModel { id: Set(*id), ..row }.update(transaction).await?;
            if record_change(transaction, now, *id).await? {
                changed.push(*id);
            }
        }
        // Evaluate the rules before locking entry ids, because rules may take some time.
        let decisions = if news.fresh.is_empty() {
            Decisions::default()
        } else {
            rules::decide(transaction, now, news.feed.id, || news.fields_by_key(now)).await?
        };
        let unstored = rules::dropped_by_all(transaction, news.feed.id, &decisions).await?;
        let (rows, filtered) = without(&unstored, news, rows);
        fresh.push((rows, decisions));
        write_details(transaction, news).await?;
        dropped_entries::record_presence(transaction, news.feed, now, &news.present).await?;
        let dropped = news.dropped.iter().copied().chain(filtered);
        dropped_entries::remember(transaction, news.feed.id, dropped).await?;
    }
    if !changed.is_empty() {
        log::record_changes(transaction, now, &changed).await?;
    }
    if news.iter().all(|news| news.fresh.is_empty()) {
        return Ok(());
    }
    lock_order(transaction).await?;
    let mut at_us = next_time(transaction, now).await?;
    let mut arrived = Vec::new();
    for (news, (rows, decisions)) in news.iter().zip(fresh).filter(|(news, _)| !news.fresh.is_empty()) {
        let last = last_entry(transaction, news.feed.id).await?;
        at_us = insert(transaction, at_us, news.feed.id, rows).await?;
        rules::write(transaction, now, news.feed.id, &decisions).await?;
        // Entries that the feed already had when it was first followed are not reported as events.
        if news.feed.last_fetched_at.is_some() {
            log::record_arrivals(transaction, now, news.feed.id, last).await?;
            rules::request_notices(transaction, news.feed.id, last, &decisions).await?;
            arrived.push((news.feed.id, last));
        }
        relocation::apply_previous_read_state(transaction, news.feed, now, last).await?;
        if news.wants_texts {
            full_text::request_newest(transaction, news.feed.id, last, now).await?;
        }
        if news.is_full {
            retention::trim(transaction, now, news.feed.id).await?;
        }
        retention::enforce_limits(transaction, now, news.feed.id).await?;
    }
    notice_requests::request(transaction, now, &arrived).await
}

/// Retains in the row of a changed entry what its body cannot contain: the words of its article, which are in the search
/// text `before`, and the categories if the format of the body has none.
fn retain_stored(row: &mut feed_entry::ActiveModel, before: Option<&String>, has_categories: bool) {
    if !has_categories {
        row.categories = NotSet;
    }
    if let (Some(before), Set(own)) = (before, &row.search_text) {
        row.search_text = Set(if has_categories {
            search_text::with_article_of(own, before)
        } else {
            search_text::with_categories_and_article_of(own, before)
        });
    }
}

/// Returns the rows of the new entries, in the order of `news.fresh`, without the entries that every follower
/// drops. Also returns the marks of the dropped entries, which are remembered like all entries that are not
/// stored.
fn without(
    unstored: &HashSet<i64>,
    news: &FeedDelta<'_>,
    rows: impl Iterator<Item = feed_entry::ActiveModel>,
) -> (Vec<KeyedRow>, Vec<(i64, Marks)>) {
    let (mut stored, mut filtered) = (Vec::with_capacity(news.fresh.len()), Vec::new());
    for (fresh, row) in news.fresh.iter().zip(rows) {
        if unstored.contains(&fresh.key) {
            filtered.push((fresh.key, fresh.entry.marks));
        } else {
            stored.push((fresh.key, row));
        }
    }
    (stored, filtered)
}

/// Updates entries whose texts did not change.
async fn write_details(transaction: &DatabaseTransaction, news: &FeedDelta<'_>) -> Result<()> {
    write_marks(transaction, &news.remarked).await?;
    write_files(transaction, &news.files).await?;
    write_episodes(transaction, &news.episodes).await?;
    write_categories(transaction, news.categorized.as_deref().unwrap_or_default()).await
}

/// Updates only the marks of entries.
async fn write_marks(transaction: &DatabaseTransaction, remarked: &[(i64, Marks)]) -> Result<()> {
    let (dropped, stored): (Vec<_>, Vec<_>) = remarked.iter().partition(|(id, _)| *id < 0);
    for (table, rows) in [("feed_entry", stored), ("feed_dropped_entry", dropped)] {
        for chunk in rows.chunks(ROWS_PER_INSERT) {
            let sql = format!(
                "WITH seen (id, mark_guid, mark_url, mark_title, mark_published, mark_text, fingerprint) \
                 AS (VALUES {}) \
                 UPDATE {table} SET mark_guid = seen.mark_guid, mark_url = seen.mark_url, \
                 mark_title = seen.mark_title, mark_published = seen.mark_published, \
                 mark_text = seen.mark_text, fingerprint = seen.fingerprint FROM seen WHERE {table}.id = seen.id",
                value_rows(1, chunk.len(), &["bigint"; 7])
            );
            let values = chunk.iter().flat_map(|(id, marks)| {
                let Marks { guid, url, title, published, text, fingerprint } = *marks;
                [id.abs(), guid, url, title, published, text, fingerprint]
            });
            execute(transaction, &sql, values.map(Value::from)).await?;
        }
    }
    Ok(())
}

/// Updates only the files and podcast data of entries, if they differ from the stored data. The link of an entry
/// without a page is that of its first file.
async fn write_files(transaction: &DatabaseTransaction, files: &[EntryFiles]) -> Result<()> {
    for chunk in files.chunks(ROWS_PER_INSERT) {
        let sql = format!(
            "WITH seen (id, enclosures, episode, url) AS (VALUES {}) \
             UPDATE feed_entry SET enclosures = seen.enclosures, episode = seen.episode, \
             url = CASE WHEN feed_entry.mark_url = 0 THEN seen.url ELSE feed_entry.url END FROM seen \
             WHERE feed_entry.id = seen.id AND (COALESCE(feed_entry.episode, '') <> COALESCE(seen.episode, '') \
             OR COALESCE(feed_entry.enclosures, '') <> COALESCE(seen.enclosures, ''))",
            value_rows(1, chunk.len(), &["bigint", "text", "text", "text"])
        );
        let values = chunk.iter().flat_map(|(id, files)| {
            let StoredFiles { enclosures, episode, url } = files;
            [Value::from(*id), enclosures.clone().into(), episode.clone().into(), url.clone().into()]
        });
        execute(transaction, &sql, values).await?;
    }
    Ok(())
}

/// Updates only the podcast data of entries, if it differs from the stored data.
async fn write_episodes(
    transaction: &DatabaseTransaction,
    episodes: &[(EntryId, Option<String>)],
) -> Result<()> {
    for chunk in episodes.chunks(ROWS_PER_INSERT) {
        let sql = format!(
            "WITH seen (id, episode) AS (VALUES {}) UPDATE feed_entry SET episode = seen.episode FROM seen \
             WHERE feed_entry.id = seen.id AND COALESCE(feed_entry.episode, '') <> COALESCE(seen.episode, '')",
            value_rows(1, chunk.len(), &["bigint", "text"])
        );
        let values = chunk.iter().flat_map(|(id, episode)| [Value::from(*id), Value::from(episode.clone())]);
        execute(transaction, &sql, values).await?;
    }
    Ok(())
}

/// Updates only the categories of entries, with the words by which they are searched, if the categories differ from
/// the stored ones.
async fn write_categories(
    transaction: &DatabaseTransaction,
    entries: &[(EntryId, &ParsedEntry)],
) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut stored = feed_entry::Entity::find()
        .select_only()
        .columns([feed_entry::Column::Id, feed_entry::Column::Categories])
        .filter(feed_entry::Column::Id.is_in(entries.iter().map(|(id, _)| *id)));
    if entries.iter().all(|(_, entry)| entry.categories.is_empty()) {
        stored = stored.filter(feed_entry::Column::Categories.is_not_null());
    }
    let stored: Vec<(EntryId, Option<String>)> = stored.into_tuple().all(transaction).await?;
    let stored: HashMap<EntryId, Option<String>> = stored.into_iter().collect();
    let differs = |(id, entry): &(EntryId, &ParsedEntry)| {
        stored.get(id).is_some_and(|categories| *categories != categories_json(entry))
    };
    let changed: Vec<(EntryId, &ParsedEntry)> = entries.iter().copied().filter(differs).collect();
    let texts = texts_of(transaction, &changed).await?;
    for (id, entry) in changed {
        let Some(before) = texts.get(&id) else { continue };
        let search_text = search_text::with_categories(before, &entry.categories.names);
        feed_entry::Entity::update_many()
            .set(feed_entry::ActiveModel {
                categories: Set(categories_json(entry)),
                search_text: Set(search_text),
                ..Default::default()
            })
            .filter(feed_entry::Column::Id.eq(id))
            // The words of its article may have been added since. The next changed body then sets the categories.
            .filter(feed_entry::Column::SearchText.eq(before.as_str()))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

/// Records that an entry has changed. Returns true if the change must be reported. Changes of an entry are
/// reported at most every six hours.
async fn record_change(transaction: &DatabaseTransaction, now: Millis, id: EntryId) -> Result<bool> {
    let earlier = feed_entry::Column::ChangedAt.lte(now - MIN_CHANGE_INTERVAL);
    let updated = feed_entry::Entity::update_many()
        .set(feed_entry::ActiveModel { changed_at: Set(Some(now)), ..Default::default() })
        .filter(feed_entry::Column::Id.eq(id))
        .filter(feed_entry::Column::ChangedAt.is_null().or(earlier))
        .exec(transaction)
        .await?;
    Ok(updated.rows_affected > 0)
}

/// Returns the current search texts of the changed entries.
async fn texts_of(
    transaction: &DatabaseTransaction,
    changed: &[(EntryId, &ParsedEntry)],
) -> Result<HashMap<EntryId, String>> {
    if changed.is_empty() {
        return Ok(HashMap::new());
    }
    let texts = feed_entry::Entity::find()
        .select_only()
        .columns([feed_entry::Column::Id, feed_entry::Column::SearchText])
        .filter(feed_entry::Column::Id.is_in(changed.iter().map(|(id, _)| *id)));
    let texts: Vec<(EntryId, String)> = texts.into_tuple().all(transaction).await?;
    Ok(texts.into_iter().collect())
}

/// Inserts new entries of a feed with their keys. Their discovery times start at `at_us`. Returns the next
/// unused time.
async fn insert(
    transaction: &DatabaseTransaction,
    mut at_us: i64,
    feed_id: FeedId,
    rows: Vec<KeyedRow>,
) -> Result<i64> {
    let count = rows.len();
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let chunk: Vec<feed_entry::ActiveModel> = rows
            .by_ref()
            .take(ROWS_PER_INSERT)
            .zip(at_us..)
            .map(|((key, row), discovered_us)| feed_entry::ActiveModel {
                feed_id: Set(feed_id),
                entry_key: Set(key),
                discovered_us: Set(discovered_us),
                ..row
            })
            .collect();
        at_us += i64::try_from(chunk.len()).unwrap_or(0);
        let known = [feed_entry::Column::FeedId, feed_entry::Column::EntryKey];
        feed_entry::Entity::insert_many(chunk)
            .on_conflict(OnConflict::columns(known).do_nothing().to_owned())
            .exec_without_returning(transaction)
            .await?;
    }
    metrics::counter!("carrel_feed_entries_total").increment(count as u64);
    Ok(at_us)
}

/// Builds the row of an entry with the index that was computed before the transaction.
fn derived_row(
    entry: &ParsedEntry,
    derived_fields: &DerivedFieldsByRank,
    now: Millis,
) -> feed_entry::ActiveModel {
    let derived = derived_fields.get(&entry.rank).cloned().unwrap_or_else(|| derive_fields(entry));
    feed_entry::ActiveModel {
        published_at: Set(plausible(entry.published, now)),
        updated_at: Set(plausible(entry.updated, now)),
        ..row_of(entry, derived)
    }
}

/// Returns a time that the feed states, unless it is too far in the future.
fn plausible(time: Option<Millis>, now: Millis) -> Option<Millis> {
    time.filter(|at| *at <= now + MAX_AHEAD)
}
