//! Entries as one account sees them: entries of followed feeds, with the account's read state.

use std::collections::HashSet;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, EntryId};
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Value};

use super::author;
use super::entry::{Entry, columns, columns_with_content, entry_of_row};
use super::entry_filter::{EntryFilter, Order};
use super::entry_scope::{
    EntryScope, IS_UNREAD, MARKED_UNREAD, MARKS, NOT_DUPLICATE, NOT_MUTED, count_unread,
};
use super::full_text::{self, ArticleText, ArticleVersion};
use super::previous_feeds;
use super::search_text::{self, HAS_STAR};
use super::starred_entries;
use kernel::error::not_found;
use kernel::statement::{placeholders, scalar, statement};
use kernel::{Domain, Result};

/// Joins for source `o`: the subscription through which the account receives the source, and the feed of that
/// subscription.
const JOIN_SUBSCRIPTION: &str =
    "JOIN rss_subscription s ON s.id = o.subscription_id JOIN feed f ON f.id = s.feed_id";

/// Condition for entries with audio or video. The database has an index for the first part.
const HAS_RECORDING: &str = "(e.enclosures IS NOT NULL AND (e.enclosures LIKE '%\"media_type\":\"audio/%' \
                             OR e.enclosures LIKE '%\"media_type\":\"video/%'))";

/// Sizes of the id ranges, counted from the newest id, that are searched one after the other for a page if
/// there are many unread entries. If none of them fills the page, all ids are searched.
const SCAN_WIDTHS: [i64; 2] = [20_000, 320_000];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPage {
    /// Entries in the requested order.
    pub entries: Vec<Entry>,
    /// Id after which the next page starts. `None` if this page is the last.
    pub next_after: Option<EntryId>,
    /// Maximum id on this page. Entries that arrive after this page was read have greater ids.
    pub as_of_id: EntryId,
    /// Number of unread entries in the requested feed, in the requested collection, or in all followed feeds,
    /// up to a bound.
    pub unread_total: i64,
    /// True if there are more unread entries than `unread_total`.
    pub unread_partial: bool,
}

/// Text of an entry, truncated to the requested length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryContent {
    pub text: String,
    /// Length of the whole text in characters.
    pub characters: usize,
    /// True if the text was truncated.
    pub truncated: bool,
    pub source: ContentSource,
    /// True if the article was requested but is not available yet.
    pub pending: bool,
    /// True if the article must be rendered, and this service has no browser.
    pub needs_browser: bool,
}

/// Origin of the text of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentSource {
    Feed,
    /// The article to which the entry links.
    Article,
}

/// Returns a page of at most `limit` entries, starting after the entry `after`.
#[boxed]
pub async fn list_entries(
    domain: &Domain,
    account_id: AccountId,
    filter: &EntryFilter,
    after: Option<EntryId>,
    limit: u32,
) -> Result<EntryPage> {
    let connection = domain.db().read();
    let feed_id = previous_feeds::current_id(connection, account_id, filter.feed_id).await?;
    let texts = search_text::texts_of(connection, account_id).await?;
    let filter = &EntryFilter { texts, now: domain.now(), ..filter.clone() };
    let scope = EntryScope { feed_id, collection_id: filter.collection_id };
    let as_of_id = as_of(connection, filter.order, after).await?;
    let bounds = (as_of_id, after);
    let unread = count_unread(connection, account_id, scope).await?;
    let (entries, next_after) = if unread.partial && filter.is_newest_unread() {
        newest_unread_page(connection, account_id, scope, filter, bounds, limit).await?
    } else {
        page(connection, account_id, scope, filter, bounds, limit).await?
    };
    Ok(EntryPage {
        entries,
        next_after,
        as_of_id,
        unread_total: unread.count,
        unread_partial: unread.partial,
    })
}

/// Counts the entries that were discovered after the entry `since`, up to `most`.
#[boxed]
pub async fn count_newer(
    domain: &Domain,
    account_id: AccountId,
    filter: &EntryFilter,
    since: EntryId,
    most: u32,
) -> Result<usize> {
    let connection = domain.db().read();
    let as_of_id = as_of(connection, Order::Newest, None).await?;
    if as_of_id <= since {
        return Ok(0);
    }
    let feed_id = previous_feeds::current_id(connection, account_id, filter.feed_id).await?;
    let scope = EntryScope { feed_id, collection_id: filter.collection_id };
    let newer = EntryFilter { since: Some(since), now: domain.now(), ..filter.clone() };
    let (entries, _) = page(connection, account_id, scope, &newer, (as_of_id, None), most).await?;
    Ok(entries.len())
}

/// Returns a page of entries, and the id after which the next page starts.
pub(super) async fn page(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    scope: EntryScope,
    filter: &EntryFilter,
    bounds: (EntryId, Option<EntryId>),
    limit: u32,
) -> Result<(Vec<Entry>, Option<EntryId>)> {
    let backend = connection.get_database_backend();
    let (sql, values) = page_query(backend, account_id, scope, filter, bounds, limit)?;
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let mut entries = rows.iter().map(entry_of_row).collect::<Result<Vec<_>>>()?;
    let has_more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let next_after = entries.last().map(|last| last.id).filter(|_| has_more);
    Ok((entries, next_after))
}

/// Returns the newest page if there are more unread entries than are counted. The newest entries of all feeds
/// are searched first, because a full search takes time proportional to the number of unread entries. Returns
/// the first page that is full.
async fn newest_unread_page(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    scope: EntryScope,
    filter: &EntryFilter,
    bounds: (EntryId, Option<EntryId>),
    limit: u32,
) -> Result<(Vec<Entry>, Option<EntryId>)> {
    for newest in SCAN_WIDTHS {
        let since = EntryId::new(bounds.0.as_i64() - newest);
        if filter.since.is_some_and(|own| own >= since) {
            break;
        }
        let among = EntryFilter { since: Some(since), ..filter.clone() };
        let (entries, next_after) = page(connection, account_id, scope, &among, bounds, limit).await?;
        if next_after.is_some() {
            return Ok((entries, next_after));
        }
    }
    page(connection, account_id, scope, filter, bounds, limit).await
}

/// Returns the maximum id that a page can contain: the highest visible id or, after the first page of a
/// newest-first list, the id before `after`. Ids are assigned in commit order, so no entry with a lower id
/// appears after this call.
pub(super) async fn as_of(
    connection: &impl ConnectionTrait,
    order: Order,
    after: Option<EntryId>,
) -> Result<EntryId> {
    let highest = scalar(connection, "SELECT MAX(id) FROM feed_entry", []).await?;
    Ok(EntryId::new(match (order, after) {
        (Order::Newest, Some(after)) => highest.min(after.as_i64() - 1),
        (Order::Newest, None) | (Order::Oldest, _) => highest,
    }))
}

/// Builds the statement for a page. It selects ids from an index before it reads rows, because an account may
/// follow thousands of feeds with thousands of entries each.
pub(super) fn page_query(
    backend: DbBackend,
    account_id: AccountId,
    scope: EntryScope,
    filter: &EntryFilter,
    bounds: (EntryId, Option<EntryId>),
    limit: u32,
) -> Result<(String, Vec<Value>)> {
    let direction = match filter.order {
        Order::Newest => "DESC",
        Order::Oldest => "ASC",
    };
    let most = u64::from(limit) + 1;
    let order = format!("ORDER BY e.id {direction} LIMIT {most}");
    let (ids, values) = ids_query(backend, account_id, scope, filter, bounds, &order)?;
    let sql = format!(
        "SELECT {} FROM ({ids}) o JOIN feed_entry e ON e.id = o.entry_id {JOIN_SUBSCRIPTION} LEFT JOIN {MARKS} {order}",
        columns()
    );
    Ok((sql, values))
}

/// Builds the statement that selects entry ids as `entry_id`, with the subscription and the watermark of each
/// entry. If the statement is a union, each part has the clause `order`.
pub(super) fn ids_query(
    backend: DbBackend,
    account_id: AccountId,
    scope: EntryScope,
    filter: &EntryFilter,
    bounds: (EntryId, Option<EntryId>),
    order: &str,
) -> Result<(String, Vec<Value>)> {
    let (conditions, values) = conditions(backend, account_id, scope, filter, bounds)?;
    let sources = scope.sources();
    let select_ids = |entries: &str| {
        format!(
            "SELECT * FROM (SELECT o.subscription_id, o.read_through, e.id AS entry_id FROM ({sources}) o {entries} \
             AND {NOT_DUPLICATE}{conditions} {order}) found"
        )
    };
    let all = "JOIN feed_entry e ON e.feed_id = o.feed_id AND e.id <= o.last_entry_id";
    // A query that requires a read state reads the same rows as a list of that read state, instead of all
    // entries.
    let required = || filter.query.as_deref().and_then(search_text::required_unread);
    let sql = match filter.unread.or_else(required) {
        None => select_ids(&format!("{all} WHERE {NOT_MUTED}")),
        Some(false) => {
            select_ids(&format!("{all} LEFT JOIN {MARKS} WHERE NOT {IS_UNREAD} AND m.muted_by IS NULL"))
        }
        // Selects entries after the watermark, and entries before it that are marked as unread. Read entries
        // are not scanned.
        Some(true) => format!(
            "{} UNION ALL {}",
            select_ids(&format!(
                "{all} AND e.id > o.read_through LEFT JOIN {MARKS} WHERE COALESCE(m.unread, TRUE)"
            )),
            select_ids(&format!("{MARKED_UNREAD} WHERE TRUE"))
        ),
    };
    Ok((sql, values))
}

/// Builds further conditions on entries `e`, each starting with `AND`.
fn conditions(
    backend: DbBackend,
    account_id: AccountId,
    scope: EntryScope,
    filter: &EntryFilter,
    (as_of_id, after): (EntryId, Option<EntryId>),
) -> Result<(String, Vec<Value>)> {
    let mut sql = String::new();
    let mut values: Vec<Value> = scope.values(account_id).to_vec();
    let mut and = |condition: &str, value: Option<Value>| {
        search_text::and(&mut sql, &mut values, (condition.to_owned(), value.into_iter().collect()));
    };
    and("e.id <= ?", Some(as_of_id.into()));
    for (condition, value) in filter.times() {
        and(&condition, Some(value.into()));
    }
    if let Some(since) = filter.since {
        and("e.id > ?", Some(since.into()));
    }
    if let Some(starred) = filter.starred {
        let not = if starred { "" } else { "NOT " };
        and(&format!("{not}{HAS_STAR}"), None);
    }
    if filter.recordings_only {
        and(HAS_RECORDING, None);
    }
    if let Some(ids) = &filter.subscriptions {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        // An empty list is not valid SQL on every database.
        and(
            &format!("o.subscription_id IN ({})", if ids.is_empty() { "0".into() } else { ids.join(", ") }),
            None,
        );
    }
    if let (Order::Oldest, Some(after)) = (filter.order, after) {
        and("e.id > ?", Some(after.into()));
    }
    let author = filter.author.as_deref().map(|name| author::condition(backend, name));
    let text = filter.query.as_deref().unwrap_or_default();
    let search = search_text::conditions_for(backend, text, filter.context())?;
    for condition in search.all(backend).into_iter().chain(author) {
        search_text::and(&mut sql, &mut values, condition);
    }
    Ok((sql, values))
}

/// Returns an entry of a followed feed, or a starred entry, with its text truncated to `most_characters`. The
/// text is that of the article if the subscription requests articles and the article is cached; otherwise it
/// is the text from the feed.
///
/// # Errors
/// `not_found` if the account cannot see the entry.
#[boxed]
pub async fn get_entry(
    domain: &Domain,
    account_id: AccountId,
    id: EntryId,
    most_characters: usize,
) -> Result<(Entry, Option<EntryContent>)> {
    let row = visible_row(domain.db().read(), account_id, id).await?;
    let entry = entry_of_row(&row)?;
    let full_text: bool = row.try_get("", "s_full_text")?;
    let version = ArticleVersion::parse(&row.try_get::<String>("", "s_article_version")?);
    let article = if full_text {
        full_text::text_of(domain, entry.id, &entry.url, &version).await?
    } else {
        ArticleText::None
    };
    let pending = matches!(article, ArticleText::Pending);
    let needs_browser = matches!(article, ArticleText::NoBrowser);
    let content = if let ArticleText::Available(text) = article {
        Some(EntryContent { source: ContentSource::Article, ..cut(&text, most_characters) })
    } else {
        let markup: Option<String> = row.try_get("", "content")?;
        let own = markup.map(|markup| extract::feed::plain_text(&markup)).filter(|text| !text.is_empty());
        own.or_else(|| entry.summary.clone()).map(|text| EntryContent {
            pending,
            needs_browser,
            ..cut(&text, most_characters)
        })
    };
    let no_text = || EntryContent { pending, needs_browser, ..cut("", most_characters) };
    Ok((entry, content.or_else(|| (pending || needs_browser).then(no_text))))
}

/// Returns an entry of a followed feed, or a starred entry.
///
/// # Errors
/// `not_found` if the account cannot see the entry.
pub(super) async fn visible_entry(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: EntryId,
) -> Result<Entry> {
    entry_of_row(&visible_row(connection, account_id, id).await?)
}

/// Returns the row of an entry of a followed feed, or of a starred entry.
async fn visible_row(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: EntryId,
) -> Result<QueryResult> {
    let row = match listed_row(connection, account_id, id).await? {
        Some(row) => Some(row),
        None => starred_entries::row(connection, account_id, id).await?,
    };
    row.ok_or_else(|| not_found("entry"))
}

/// Returns the row of an entry of a followed feed. `None` if the account does not follow the feed.
async fn listed_row(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: EntryId,
) -> Result<Option<QueryResult>> {
    let sql = format!(
        "SELECT {} FROM ({}) o {JOIN_SUBSCRIPTION} JOIN feed_entry e \
         ON e.feed_id = o.feed_id AND e.id <= o.last_entry_id LEFT JOIN {MARKS} WHERE {NOT_DUPLICATE} AND e.id = $4",
        columns_with_content(),
        EntryScope::default().sources()
    );
    let mut values = EntryScope::default().values(account_id).to_vec();
    values.push(id.into());
    Ok(connection.query_one_raw(statement(connection, &sql, values)).await?)
}

/// Returns the given entries that are visible to the account, including duplicates in a redirected feed.
pub async fn entries_of_ids(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[EntryId],
) -> Result<Vec<Entry>> {
    rows_of_ids(connection, account_id, ids, &columns()).await?.iter().map(entry_of_row).collect()
}

/// Returns the given entries that are visible to the account or starred by it, in no particular order.
#[boxed]
pub async fn visible_entries(domain: &Domain, account_id: AccountId, ids: &[EntryId]) -> Result<Vec<Entry>> {
    let connection = domain.db().read();
    let mut entries = entries_of_ids(connection, account_id, ids).await?;
    let listed: HashSet<EntryId> = entries.iter().map(|entry| entry.id).collect();
    let unlisted: Vec<EntryId> = ids.iter().filter(|id| !listed.contains(*id)).copied().collect();
    if !unlisted.is_empty() {
        let starred = starred_entries::rows_of(connection, account_id, &unlisted).await?;
        entries.extend(starred.iter().map(entry_of_row).collect::<Result<Vec<_>>>()?);
    }
    Ok(entries)
}

/// Returns these columns of the given entries.
pub(super) async fn rows_of_ids(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[EntryId],
    columns: &str,
) -> Result<Vec<QueryResult>> {
    let mut rows = Vec::with_capacity(ids.len());
    let sources = EntryScope::default().sources();
    for chunk in ids.chunks(500) {
        let sql = format!(
            "SELECT {columns} FROM ({sources}) o {JOIN_SUBSCRIPTION} JOIN feed_entry e ON e.feed_id = o.feed_id \
             AND e.id <= o.last_entry_id LEFT JOIN {MARKS} WHERE e.id IN ({})",
            placeholders(4, chunk.len())
        );
        let mut values = EntryScope::default().values(account_id).to_vec();
        values.extend(chunk.iter().map(|id| Value::from(*id)));
        rows.extend(connection.query_all_raw(statement(connection, &sql, values)).await?);
    }
    Ok(rows)
}

fn cut(whole: &str, most: usize) -> EntryContent {
    let characters = whole.chars().count();
    let text = whole.chars().take(most).collect();
    EntryContent {
        text,
        characters,
        truncated: characters > most,
        source: ContentSource::Feed,
        pending: false,
        needs_browser: false,
    }
}
