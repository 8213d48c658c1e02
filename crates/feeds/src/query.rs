//! Queries over the entries, sources, and collections that an account follows.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, CollectionId, EntryId, SubscriptionId};
use sea_orm::ConnectionTrait;
use serde::{Deserialize, Serialize};

use super::author;
use super::collections::{Collection, list_collections};
use super::entries::{as_of, entries_of_ids, ids_query, page};
use super::entry::Entry;
use super::entry_filter::{EntryFilter, Order};
use super::entry_scope::EntryScope;
use super::health::Health;
use super::relevance;
use super::search_text::{self, Texts};
use super::source::{self, FollowedSource, HealthFilter, SelectedSource, select_sources};
use super::source_filter::{SourceFilter, Sources};
use kernel::statement::{scalar, statement};
use kernel::{Code, Domain, Error, Millis, Result};

/// Upper bound of the number of matches. Counting stops at this value.
const MAX_COUNTED: i64 = 10_000;
/// Maximum number of newest matches that are ordered by the length of their texts.
const MAX_MEASURED: u32 = 1_000;

/// Order of query results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueryOrder {
    /// Newest first.
    #[default]
    Newest,
    /// Oldest first.
    Oldest,
    /// Best match of the search query first.
    Relevance,
    /// Longest text first, among the newest matches.
    Longest,
}

/// Entry query. Conditions are combined with AND.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryQuery {
    pub sources: SourceFilter,
    /// Search query.
    pub text: Option<String>,
    /// Words of an author's name.
    pub author: Option<String>,
    /// Only unread entries (true), only read entries (false), or both (`None`).
    pub unread: Option<bool>,
    /// Only entries published after this time. If an entry has no publication time, its discovery time is
    /// compared.
    pub published_after: Option<Millis>,
    /// Only entries published before this time. If an entry has no publication time, its discovery time is
    /// compared.
    pub published_before: Option<Millis>,
    pub discovered_after: Option<Millis>,
    pub discovered_before: Option<Millis>,
    pub order: QueryOrder,
}

/// Source query. Conditions are combined with AND.
#[derive(Clone, Debug, Default)]
pub struct SourceQuery {
    pub sources: SourceFilter,
    /// Only sources with one of these health values. Empty for sources of any health.
    pub health: Vec<Health>,
    /// Minimum number of unread entries.
    pub unread_min: Option<i64>,
    /// Order by the time at which the feeds were followed. Relevance and length are not supported.
    pub order: QueryOrder,
}

/// Position after which a page starts: an id or, for results ordered by relevance, a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryCursor(i64);

impl QueryCursor {
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    pub const fn as_i64(self) -> i64 {
        self.0
    }
}

/// One page of query results.
#[derive(Clone, Debug)]
pub struct QueryPage<T> {
    /// Results in the requested order.
    pub items: Vec<T>,
    /// Cursor of the next page. `None` if this page is the last.
    pub next: Option<QueryCursor>,
    /// Number of all results, up to a bound.
    pub total: i64,
    /// True if `total` is not exact.
    pub partial: bool,
}

/// Returns a page of at most `limit` entries, starting after a cursor.
///
/// # Errors
/// `conflicting_changes` if the order is by relevance and there is no search query; `not_found` if the query
/// contains a collection of another account.
#[boxed]
pub async fn query_entries(
    domain: &Domain,
    account_id: AccountId,
    query: &EntryQuery,
    after: Option<QueryCursor>,
    limit: u32,
) -> Result<QueryPage<Entry>> {
    let connection = domain.db().read();
    let filter = filter_of(connection, account_id, query, domain.now()).await?;
    let newest = as_of(connection, Order::Newest, None).await?;
    if query.order == QueryOrder::Relevance {
        return by_relevance(connection, account_id, &filter, newest, after, limit).await;
    }
    let (total, partial) = count(connection, account_id, &filter, newest).await?;
    if query.order == QueryOrder::Longest {
        let longest = longest(connection, account_id, &filter, newest).await?;
        let (mut items, next) = page_of_ranked(connection, account_id, &longest, after, limit).await?;
        if let Some(name) = &filter.author {
            items.retain(|entry| author::is_by(name, entry.author.as_deref()));
        }
        return Ok(QueryPage { items, next, total, partial });
    }
    let after = after.map(|cursor| EntryId::new(cursor.0));
    let bounds = (as_of(connection, filter.order, after).await?, after);
    let (mut items, next) =
        page(connection, account_id, EntryScope::default(), &filter, bounds, limit).await?;
    if let Some(name) = &filter.author {
        items.retain(|entry| author::is_by(name, entry.author.as_deref()));
    }
    Ok(QueryPage { items, next: next.map(|id| QueryCursor(id.as_i64())), total, partial })
}

/// Converts a query to an entry filter. Ages in its search text are relative to `now`.
pub(super) async fn filter_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    query: &EntryQuery,
    now: Millis,
) -> Result<EntryFilter> {
    let text = query.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    if query.order == QueryOrder::Relevance && text.is_none() {
        let message = "Order by relevance needs a search text. Add `where.text`.";
        return Err(Error::new(Code::ConflictingChanges, message).at("order", "needs a text"));
    }
    let sources = Sources::resolve(connection, account_id, &query.sources).await?;
    let sources = sources.current(connection, account_id).await?;
    let subscriptions = match &sources {
        all if *all == Sources::default() => None,
        some => Some(subscriptions(connection, account_id, some).await?),
    };
    Ok(EntryFilter {
        unread: query.unread,
        query: text.map(str::to_owned),
        texts: match text {
            Some(_) => search_text::texts_of(connection, account_id).await?,
            None => Texts::default(),
        },
        now,
        published_after: query.published_after,
        published_before: query.published_before,
        discovered_after: query.discovered_after,
        discovered_before: query.discovered_before,
        author: query.author.clone(),
        subscriptions,
        order: match query.order {
            QueryOrder::Oldest => Order::Oldest,
            QueryOrder::Newest | QueryOrder::Relevance | QueryOrder::Longest => Order::Newest,
        },
        ..EntryFilter::default()
    })
}

/// Returns the subscriptions to these sources.
async fn subscriptions(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    sources: &Sources,
) -> Result<Vec<SubscriptionId>> {
    let sql = format!(
        "SELECT s.id FROM rss_subscription s WHERE s.account_id = $1{} ORDER BY s.id",
        sources.condition()
    );
    let rows = connection.query_all_raw(statement(connection, &sql, [account_id.into()])).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

/// Returns the number of matching entries, and true if the number is not exact.
pub(super) async fn count(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    filter: &EntryFilter,
    newest: EntryId,
) -> Result<(i64, bool)> {
    if filter.query.is_some() {
        let (counted, is_cut) =
            relevance::count(connection, account_id, filter, newest, most_matches()).await?;
        return Ok(bounded(filter, counted, is_cut));
    }
    let backend = connection.get_database_backend();
    let most = format!("LIMIT {}", MAX_COUNTED + 1);
    let (ids, values) = ids_query(backend, account_id, EntryScope::default(), filter, (newest, None), &most)?;
    let counted = scalar(connection, &format!("SELECT count(*) FROM ({ids}) c"), values).await?;
    // The index also matches the author's words outside the author's name. Such matches are excluded only
    // when the entries are loaded.
    Ok((counted.min(MAX_COUNTED), counted > MAX_COUNTED || filter.author.is_some()))
}

/// Number of matches of the search index to count: one more than the bound, so that further matches are detected.
fn most_matches() -> usize {
    usize::try_from(MAX_COUNTED + 1).unwrap_or(usize::MAX)
}

/// Returns the number of matches up to the bound, and true if the number is not exact.
fn bounded(filter: &EntryFilter, counted: usize, is_cut: bool) -> (i64, bool) {
    let counted = i64::try_from(counted).unwrap_or(i64::MAX);
    (counted.min(MAX_COUNTED), is_cut || counted > MAX_COUNTED || filter.author.is_some())
}

/// Returns a page of the best matching entries.
async fn by_relevance(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    filter: &EntryFilter,
    newest: EntryId,
    after: Option<QueryCursor>,
    limit: u32,
) -> Result<QueryPage<Entry>> {
    let ranked = relevance::ranked(connection, account_id, filter, newest, most_matches()).await?;
    let (total, partial) = bounded(filter, ranked.total, ranked.is_cut);
    let (items, next) = page_of_ranked(connection, account_id, &ranked.ids, after, limit).await?;
    Ok(QueryPage { items, next, total, partial })
}

/// Returns the ids of the newest matching entries, longest text first. Sizes are compared in bytes. Both
/// databases determine the size of a column without reading a long text.
async fn longest(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    filter: &EntryFilter,
    newest: EntryId,
) -> Result<Vec<EntryId>> {
    let backend = connection.get_database_backend();
    let size = "COALESCE(octet_length(e.content), octet_length(e.summary), 0)";
    let most = format!("ORDER BY e.id DESC LIMIT {MAX_MEASURED}");
    let scope = EntryScope::default();
    let (ids, values) = ids_query(backend, account_id, scope, filter, (newest, None), &most)?;
    let sql = format!(
        "SELECT e.id FROM (SELECT entry_id FROM ({ids}) f ORDER BY entry_id DESC LIMIT {MAX_MEASURED}) c \
         JOIN feed_entry e ON e.id = c.entry_id ORDER BY {size} DESC, e.id DESC"
    );
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let mut ids = Vec::with_capacity(rows.len());
    for row in &rows {
        ids.push(row.try_get_by_index(0)?);
    }
    Ok(ids)
}

async fn page_of_ranked(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ranked: &[EntryId],
    after: Option<QueryCursor>,
    limit: u32,
) -> Result<(Vec<Entry>, Option<QueryCursor>)> {
    let begin = after.map_or(0, |cursor| usize::try_from(cursor.0).unwrap_or(usize::MAX)).min(ranked.len());
    let end = begin.saturating_add(limit as usize).min(ranked.len());
    let ids = &ranked[begin..end];
    let mut entries = entries_of_ids(connection, account_id, ids).await?;
    entries.sort_by_key(|entry| ids.iter().position(|id| *id == entry.id));
    let next = (end < ranked.len()).then(|| QueryCursor(i64::try_from(end).unwrap_or(i64::MAX)));
    Ok((entries, next))
}

/// Returns a page of at most `limit` sources, starting after a cursor.
///
/// # Errors
/// `not_found` if the query contains a collection of another account; `conflicting_changes` if the order is
/// by relevance.
#[boxed]
pub async fn query_sources(
    domain: &Domain,
    account_id: AccountId,
    query: &SourceQuery,
    after: Option<QueryCursor>,
    limit: u32,
) -> Result<QueryPage<FollowedSource>> {
    let connection = domain.db().read();
    let sources = Sources::resolve(connection, account_id, &query.sources).await?;
    let sources = sources.current(connection, account_id).await?;
    let mut selected =
        select_sources(connection, account_id, domain.now(), &sources, HealthFilter::All).await?;
    selected.retain(|row| query.health.is_empty() || query.health.contains(&row.health));
    if let Some(least) = query.unread_min {
        let all = source::load(domain, account_id, &selected).await?;
        let is_unread = |row: &SelectedSource| {
            let own = |source: &&FollowedSource| source.subscription.id == row.subscription_id;
            all.iter().find(own).is_some_and(|source| source.subscription.unread_count >= least)
        };
        selected.retain(is_unread);
    }
    let total = i64::try_from(selected.len()).unwrap_or(i64::MAX);
    let key = |row: &SelectedSource| row.subscription_id.as_i64();
    let (page, next) = page_after(selected, key, query.order, after, limit)?;
    Ok(QueryPage { items: source::load(domain, account_id, &page).await?, next, total, partial: false })
}

/// Returns a page of at most `limit` collections, starting after a cursor. If `named` is not empty, only
/// these collections are returned.
///
/// # Errors
/// The errors of [`query_sources`].
#[boxed]
pub async fn query_collections(
    domain: &Domain,
    account_id: AccountId,
    named: Vec<String>,
    order: QueryOrder,
    after: Option<QueryCursor>,
    limit: u32,
) -> Result<QueryPage<Collection>> {
    let all = list_collections(domain, account_id).await?;
    let filter = SourceFilter { collections: named, ..SourceFilter::default() };
    let only: Vec<CollectionId> =
        Sources::resolve(domain.db().write(), account_id, &filter).await?.collections;
    let selected: Vec<Collection> =
        all.into_iter().filter(|collection| only.is_empty() || only.contains(&collection.id)).collect();
    let total = i64::try_from(selected.len()).unwrap_or(i64::MAX);
    let (items, next) = page_after(selected, |one| one.id.as_i64(), order, after, limit)?;
    Ok(QueryPage { items, next, total, partial: false })
}

/// Cuts a page from a list ordered by `key`, starting after a cursor. Also returns the cursor of the next
/// page.
fn page_after<T>(
    mut all: Vec<T>,
    key: impl Fn(&T) -> i64,
    order: QueryOrder,
    after: Option<QueryCursor>,
    limit: u32,
) -> Result<(Vec<T>, Option<QueryCursor>)> {
    match order {
        QueryOrder::Oldest => {
            all.sort_by_key(&key);
            all.retain(|one| after.is_none_or(|cursor| key(one) > cursor.0));
        }
        QueryOrder::Newest => {
            all.sort_by_key(|one| std::cmp::Reverse(key(one)));
            all.retain(|one| after.is_none_or(|cursor| key(one) < cursor.0));
        }
        QueryOrder::Relevance | QueryOrder::Longest => {
            let message = "Only entries can be ordered by relevance or length.";
            return Err(Error::new(Code::ConflictingChanges, message).at("order", "is for entries only"));
        }
    }
    let has_more = all.len() > limit as usize;
    all.truncate(limit as usize);
    let next = all.last().map(|last| QueryCursor(key(last))).filter(|_| has_more);
    Ok((all, next))
}
