//! Entry streams for feed apps: lists of entry ids, and entries with their markup by id. Lists are ordered by
//! id. All times are discovery times, which increase with the ids.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;

use entities::ids::{AccountId, CollectionId, EntryId, FeedId};
use sea_orm::{ConnectionTrait, QueryResult, Value};

use super::entries::{as_of, ids_query, rows_of_ids};
use super::entry::{Entry, columns_with_content, entry_of_row};
use super::entry_filter::{EntryFilter, Order};
use super::entry_scope::{EntryScope, NOT_DUPLICATE, NOT_MUTED, SOURCES};
use super::full_text::{self, ArticleVersion};
use super::login;
use super::previous_feeds;
use super::starred_entries::{self, StarredIds};
use kernel::statement::{scalar, scalar_optional, statement};
use kernel::{Code, Domain, Millis, Result};

/// Maximum size of the markup in one response, in bytes. The caller requests the remaining entries
/// separately.
const MAX_BYTES: usize = 16 << 20;
/// Number of entries loaded per statement.
const STEP: usize = 50;

/// Entries that a stream contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamScope {
    /// Entries of all followed feeds.
    All,
    Feed(FeedId),
    /// Entries of the feeds in a collection.
    Collection(CollectionId),
    /// Starred entries, including entries of feeds that are not followed.
    Starred,
}

/// Filter of a stream. Conditions are combined with AND.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamQuery {
    pub scope: StreamScope,
    /// Only unread entries (true), only read entries (false), or both (`None`).
    pub unread: Option<bool>,
    /// Only starred entries (true), only entries without a star (false), or both (`None`).
    pub starred: Option<bool>,
    /// Only entries with ids greater than this id.
    pub since: Option<EntryId>,
    /// Only entries with ids up to this id.
    pub through: Option<EntryId>,
    pub order: Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamEntry {
    pub id: EntryId,
    /// Discovery time in microseconds. Each entry has a different time.
    pub discovered_us: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamPage {
    /// Entries in the requested order.
    pub entries: Vec<StreamEntry>,
    /// Id after which the next page starts. `None` if this page is the last.
    pub next_after: Option<EntryId>,
}

/// An entry as feed apps display it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppEntry {
    pub entry: Entry,
    /// Discovery time in microseconds. Each entry has a different time.
    pub discovered_us: i64,
    /// Sanitised markup. It is the markup of the article if the subscription requests articles and the
    /// article is cached; otherwise it is the markup from the feed.
    pub html: String,
}

/// Returns a page of at most `limit` entry ids, starting after the entry `after`.
#[boxed]
pub async fn stream(
    domain: &Domain,
    account_id: AccountId,
    query: &StreamQuery,
    after: Option<EntryId>,
    limit: u32,
) -> Result<StreamPage> {
    let connection = domain.db().read();
    let (sql, values) = ids_statement(connection, account_id, query, after, limit).await?;
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let mut entries = rows
        .iter()
        .map(|row| Ok(StreamEntry { id: row.try_get_by_index(0)?, discovered_us: row.try_get_by_index(1)? }))
        .collect::<Result<Vec<_>>>()?;
    let has_more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let next_after = entries.last().map(|last| last.id).filter(|_| has_more);
    Ok(StreamPage { entries, next_after })
}

/// Returns the number of entries in a stream. Counting stops at `most`.
#[boxed]
pub async fn count_stream(
    domain: &Domain,
    account_id: AccountId,
    query: &StreamQuery,
    most: u32,
) -> Result<i64> {
    let connection = domain.db().read();
    let (sql, values) = ids_statement(connection, account_id, query, None, most).await?;
    let total: i64 = scalar(connection, &format!("SELECT count(*) FROM ({sql}) counted"), values).await?;
    Ok(total.min(most.into()))
}

/// Builds the statement (SQL and values) that selects up to `limit + 1` ids after the entry `after`.
async fn ids_statement(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    query: &StreamQuery,
    after: Option<EntryId>,
    limit: u32,
) -> Result<(String, Vec<Value>)> {
    let seen = as_of(connection, query.order, after).await?;
    let through = query.through.map_or(seen, |through| through.min(seen));
    let since = match query.order {
        Order::Newest => query.since,
        Order::Oldest => query.since.max(after),
    };
    Ok(match query.scope {
        StreamScope::Starred => starred_entries::ids_query(
            account_id,
            StarredIds { unread: query.unread, since, through, direction: direction(query.order), limit },
        ),
        StreamScope::All | StreamScope::Feed(_) | StreamScope::Collection(_) => {
            let query = StreamQuery { since, through: Some(through), ..*query };
            listed_ids(connection, account_id, &query, limit).await?
        }
    })
}

async fn listed_ids(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    query: &StreamQuery,
    limit: u32,
) -> Result<(String, Vec<Value>)> {
    let (feed_id, collection_id) = match query.scope {
        StreamScope::All | StreamScope::Starred => (None, None),
        StreamScope::Feed(id) => (previous_feeds::current_id(connection, account_id, Some(id)).await?, None),
        StreamScope::Collection(id) => (None, Some(id)),
    };
    let filter = EntryFilter {
        unread: query.unread,
        starred: query.starred,
        since: query.since,
        order: query.order,
        ..EntryFilter::default()
    };
    let order = format!("ORDER BY e.id {} LIMIT {}", direction(query.order), u64::from(limit) + 1);
    let bounds = (query.through.unwrap_or(EntryId::new(0)), None);
    let backend = connection.get_database_backend();
    let scope = EntryScope { feed_id, collection_id };
    let (ids, values) = ids_query(backend, account_id, scope, &filter, bounds, &order)?;
    let sql =
        format!("SELECT e.id, e.discovered_us FROM ({ids}) o JOIN feed_entry e ON e.id = o.entry_id {order}");
    Ok((sql, values))
}

fn direction(order: Order) -> &'static str {
    match order {
        Order::Newest => "DESC",
        Order::Oldest => "ASC",
    }
}

/// Returns the entries in `ids` that are visible to the account or starred by it, in the order of `ids`. If they do not
/// all fit into one response, the last entries are omitted.
#[boxed]
pub async fn app_entries(domain: &Domain, account_id: AccountId, ids: &[EntryId]) -> Result<Vec<AppEntry>> {
    let connection = domain.db().read();
    let (mut accepted, mut bytes) = (Vec::new(), 0);
    for chunk in ids.chunks(STEP) {
        let mut rows = rows_of_ids(connection, account_id, chunk, &columns_with_content()).await?;
        let listed = rows.iter().map(|row| Ok(row.try_get("", "id")?)).collect::<Result<Vec<EntryId>>>()?;
        let missing: Vec<EntryId> = chunk.iter().filter(|id| !listed.contains(id)).copied().collect();
        if !missing.is_empty() {
            rows.extend(starred_entries::rows_of(connection, account_id, &missing).await?);
        }
        let mut entries = Vec::with_capacity(rows.len());
        for row in &rows {
            entries.push(app_entry(domain, row).await?);
        }
        fill_from_library(domain, account_id, &mut entries).await?;
        entries.sort_by_key(|entry| chunk.iter().position(|id| *id == entry.entry.id));
        for entry in entries {
            bytes += entry.html.len();
            if bytes > MAX_BYTES && !accepted.is_empty() {
                return Ok(accepted);
            }
            accepted.push(entry);
        }
    }
    Ok(accepted)
}

async fn app_entry(domain: &Domain, row: &QueryResult) -> Result<AppEntry> {
    let entry = entry_of_row(row)?;
    let full_text: bool = row.try_get("", "s_full_text")?;
    let version = ArticleVersion::parse(&row.try_get::<String>("", "s_article_version")?);
    let article = if full_text { full_text::document_of(domain, &entry.url, &version).await? } else { None };
    let html = match article {
        Some(document) => extract::render::html(&document.blocks),
        None => row.try_get::<Option<String>>("", "content")?.unwrap_or_default(),
    };
    Ok(AppEntry { entry, discovered_us: row.try_get("", "discovered_us")?, html })
}

/// Replaces empty markup with the saved text of the entry, or with its summary.
async fn fill_from_library(domain: &Domain, account_id: AccountId, entries: &mut [AppEntry]) -> Result<()> {
    let empty = entries.iter().filter(|entry| entry.entry.starred && entry.html.is_empty());
    let ids: Vec<EntryId> = empty.map(|entry| entry.entry.id).collect();
    let texts = starred_entries::saved_texts(domain, account_id, &ids).await?;
    for entry in entries.iter_mut().filter(|entry| entry.html.is_empty()) {
        entry.html = match (texts.get(&entry.entry.id), &entry.entry.summary) {
            (Some(text), _) => extract::render::html(&text.blocks),
            (None, Some(summary)) => format!("<p>{}</p>", extract::render::escape(summary)),
            (None, None) => String::new(),
        };
    }
    Ok(())
}

/// Returns the id of the last entry that was discovered before a time in microseconds.
#[boxed]
pub async fn last_discovered_before(domain: &Domain, time_us: i64) -> Result<EntryId> {
    let sql =
        "SELECT id FROM feed_entry WHERE discovered_us < $1 ORDER BY discovered_us DESC, id DESC LIMIT 1";
    let last = scalar_optional(domain.db().read(), sql, [time_us.into()]).await?;
    Ok(last.unwrap_or(EntryId::new(0)))
}

/// Returns the id of the newest entry of all feeds.
#[boxed]
pub async fn last_entry(domain: &Domain) -> Result<EntryId> {
    as_of(domain.db().read(), Order::Newest, None).await
}

/// Returns the number of entries that are visible to the account. Counting stops at `most`.
#[boxed]
pub async fn count_entries(domain: &Domain, account_id: AccountId, most: u32) -> Result<i64> {
    let connection = domain.db().read();
    let sql = format!(
        "SELECT count(*) FROM (SELECT 1 FROM ({SOURCES}) o JOIN feed_entry e ON e.feed_id = o.feed_id \
         AND e.id <= o.last_entry_id WHERE {NOT_DUPLICATE} AND {NOT_MUTED} LIMIT {most}) n"
    );
    scalar(connection, &sql, EntryScope::default().values(account_id)).await
}

/// Returns the feed with this address, or the feed that it moved to. A feed that the account follows with a
/// login takes precedence over the shared feed. `None` if there is no such feed.
#[boxed]
pub async fn feed_of_address(domain: &Domain, account_id: AccountId, url: &str) -> Result<Option<FeedId>> {
    let connection = domain.db().read();
    let feed_id = match login::find_feed_of(connection, account_id, url).await {
        Err(error) if error.code == Code::InvalidUrl => None,
        known => known?,
    };
    previous_feeds::current_id(connection, account_id, feed_id).await
}

/// Returns the time in milliseconds of the last successful fetch of any followed feed. 0 if no feed was ever
/// fetched.
#[boxed]
pub async fn last_refreshed(domain: &Domain, account_id: AccountId) -> Result<Millis> {
    let sql = "SELECT MAX(f.last_fetched_at) FROM rss_subscription s JOIN feed f ON f.id = s.feed_id \
               WHERE s.account_id = $1";
    scalar(domain.db().read(), sql, [account_id.into()]).await
}

/// Returns the discovery time of the newest entry of each followed feed, in microseconds.
#[boxed]
pub async fn newest_times(domain: &Domain, account_id: AccountId) -> Result<HashMap<FeedId, i64>> {
    let connection = domain.db().read();
    let sql = "SELECT s.feed_id, (SELECT e.discovered_us FROM feed_entry e WHERE e.feed_id = s.feed_id \
               ORDER BY e.id DESC LIMIT 1) FROM rss_subscription s WHERE s.account_id = $1";
    let rows = connection.query_all_raw(statement(connection, sql, [account_id.into()])).await?;
    let time = |row: &QueryResult| -> Result<(FeedId, i64)> {
        Ok((row.try_get_by_index(0)?, row.try_get_by_index::<Option<i64>>(1)?.unwrap_or(0)))
    };
    rows.iter().map(time).collect()
}
