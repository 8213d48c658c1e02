//! Ranks entries by how well they match a search query. The index is scanned from the newest matches
//! backwards, a fixed number of matches per scan. The matches that are visible to the account are then
//! ranked. The cost of a query depends on the number of scanned matches, not on the number of stored entries.

use entities::ids::{AccountId, EntryId, FeedId};
use sea_orm::{ConnectionTrait, DbBackend, Value};

use super::author;
use super::entry_filter::EntryFilter;
use super::entry_scope::{EntryScope, IS_UNREAD, MARKS, NOT_DUPLICATE, NOT_MUTED};
use super::search_text::{self, SearchConditions, index_match};
use kernel::search::query::Query;
use kernel::search::rank::{self, Counts};
use kernel::search::words::{self, QueryWord};
use kernel::statement::statement;
use kernel::{Error, Result};

/// Maximum number of entries that are ranked, newest first.
pub(super) const MAX_RANKED: usize = 1_000;
/// Number of matches per scan. Many of them may be excluded, because they are read already or belong to other
/// sources.
const SCAN_SIZE: usize = 2_000;
/// Maximum total number of matches that the scans of a query return.
const MAX_SCANNED: usize = 10_000;

/// Best matching entries, with the number of matches.
pub(super) struct Ranked {
    /// Ids, best match first.
    pub(super) ids: Vec<EntryId>,
    /// Number of matches.
    pub(super) total: usize,
    /// True if the index may have more matches than were counted.
    pub(super) is_cut: bool,
}

/// Matching entry with the fields that determine its rank.
struct RelevanceCandidate {
    id: EntryId,
    title: Option<String>,
    summary: Option<String>,
    author: Option<String>,
}

/// Ranks the newest matches of a filter, up to the entry `newest`. If there are more matches than are ranked,
/// counts the matches among the first `most` of the index.
pub(super) async fn ranked(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    filter: &EntryFilter,
    newest: EntryId,
    most: usize,
) -> Result<Ranked> {
    let matches = MatchQuery::of(connection, account_id, filter).await?;
    let query = Query::parse(filter.query.as_deref().unwrap_or_default())?;
    let (mut candidates, mut scanned, mut upto) = (Vec::new(), 0, newest);
    let mut is_complete = false;
    while candidates.len() < MAX_RANKED && scanned < MAX_SCANNED && !is_complete {
        let scan = matches.scan(connection, upto).await?;
        scanned += scan.size;
        is_complete = scan.size < SCAN_SIZE;
        if let Some(oldest) = scan.oldest {
            upto = EntryId::new(oldest.as_i64() - 1);
            let needed = MAX_RANKED + 1 - candidates.len();
            candidates.extend(matches.visible_candidates(connection, &scan, needed).await?);
        }
    }
    let total = candidates.len();
    is_complete &= total <= MAX_RANKED;
    candidates.truncate(MAX_RANKED);
    // Entries are ranked on another thread while the database counts.
    let ranking = tokio::task::spawn_blocking(move || rank_candidates(&query, &candidates));
    let (total, is_cut) =
        if is_complete { (total, false) } else { matches.count(connection, newest, most).await? };
    Ok(Ranked { ids: ranking.await.map_err(Error::internal)?, total, is_cut })
}

/// Returns the number of visible entries among the first `most` matches of the index, and whether the index
/// may have more matches.
pub(super) async fn count(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    filter: &EntryFilter,
    newest: EntryId,
    most: usize,
) -> Result<(usize, bool)> {
    MatchQuery::of(connection, account_id, filter).await?.count(connection, newest, most).await
}

/// Returns the ids of the candidates, best match first.
fn rank_candidates(query: &Query, candidates: &[RelevanceCandidate]) -> Vec<EntryId> {
    let forms: Vec<&str> =
        query.included_terms().into_iter().flat_map(|term| &term.words).flat_map(QueryWord::forms).collect();
    let score = |entry: &RelevanceCandidate| {
        let of = |text: &Option<String>| words::occurrences(text.as_deref().unwrap_or_default(), &forms);
        let (titles, summaries, authors) = (of(&entry.title), of(&entry.summary), of(&entry.author));
        rank::score(query, |word| {
            let index = forms.iter().position(|form| *form == word);
            let times = |counts: &[u16]| index.and_then(|at| counts.get(at)).copied().unwrap_or(0);
            let (title, names, text) = (times(&titles), times(&authors), times(&summaries));
            // A word that is neither in the title nor in the author line must be in the text, because the
            // index matched it.
            let text = if title == 0 && names == 0 { text.max(1) } else { text };
            Counts { title, tags: 0, names, text }
        })
    };
    let mut ranked: Vec<(u16, EntryId)> = candidates.iter().map(|entry| (score(entry), entry.id)).collect();
    ranked.sort_unstable_by_key(|scored| std::cmp::Reverse(*scored));
    ranked.into_iter().map(|(_, id)| id).collect()
}

/// Matches of one scan of the index.
struct Scan {
    /// Number of matches.
    size: usize,
    /// Oldest match. `None` if nothing matches.
    oldest: Option<EntryId>,
    /// Ids of the matches, separated by commas.
    ids: String,
}

impl Scan {
    /// Returns the condition that an entry `e` is a match of the scan. The ids are literals, so that the planner
    /// knows how many there are. PostgreSQL parses one array in less time than thousands of numbers.
    fn condition(&self, backend: DbBackend) -> String {
        match backend {
            DbBackend::Postgres => format!("e.id = ANY(CAST('{{{}}}' AS bigint[]))", self.ids),
            _ => format!("e.id IN ({})", self.ids),
        }
    }
}

/// Builder of the statements that search the entries of a query.
struct MatchQuery<'a> {
    account_id: AccountId,
    filter: &'a EntryFilter,
    conditions: SearchConditions,
    /// Feeds whose entries are visible to the account.
    feeds: Vec<FeedId>,
}

impl<'a> MatchQuery<'a> {
    async fn of(
        connection: &impl ConnectionTrait,
        account_id: AccountId,
        filter: &'a EntryFilter,
    ) -> Result<Self> {
        let backend = connection.get_database_backend();
        let text = filter.query.as_deref().unwrap_or_default();
        let conditions = search_text::conditions_for(backend, text, filter.context())?;
        let only = of_subscriptions(filter);
        let sources = EntryScope::default().sources();
        let sql = format!("SELECT DISTINCT o.feed_id FROM ({sources}) o WHERE TRUE{only}");
        let values = EntryScope::default().values(account_id);
        let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
        let feeds = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<_>>()?;
        Ok(Self { account_id, filter, conditions, feeds })
    }

    /// Returns the newest matches in the search index, up to the entry `upto`.
    async fn scan(&self, connection: &impl ConnectionTrait, upto: EntryId) -> Result<Scan> {
        let backend = connection.get_database_backend();
        let (sql, values) = self.ids(backend, upto, SCAN_SIZE, "ORDER BY e.id DESC");
        // One row with all ids is transferred in less time than a row for each id.
        let ids = match backend {
            DbBackend::Postgres => "string_agg(CAST(m.id AS text), ',')",
            _ => "group_concat(m.id, ',')",
        };
        let sql = format!("SELECT count(*), MIN(m.id), {ids} FROM ({sql}) m");
        let row = connection.query_one_raw(statement(connection, &sql, values)).await?;
        let row = row.ok_or_else(|| Error::internal("the scan returned no row"))?;
        let size: i64 = row.try_get_by_index(0)?;
        let ids: Option<String> = row.try_get_by_index(2)?;
        Ok(Scan {
            size: usize::try_from(size).unwrap_or(0),
            oldest: row.try_get_by_index(1)?,
            ids: ids.unwrap_or_default(),
        })
    }

    /// Returns the number of visible entries among the first `most` matches up to the entry `newest`, and whether
    /// the index may have more matches.
    async fn count(
        &self,
        connection: &impl ConnectionTrait,
        newest: EntryId,
        most: usize,
    ) -> Result<(usize, bool)> {
        let backend = connection.get_database_backend();
        let (sql, mut values) = self.ids(backend, newest, most, "");
        let (sources, more) = self.visible(backend);
        let mut sql = format!(
            "WITH w (id) AS ({sql}) SELECT (SELECT count(*) FROM w), \
             (SELECT count(*) FROM w JOIN feed_entry e ON e.id = w.id {sources} WHERE TRUE"
        );
        for condition in more {
            search_text::and(&mut sql, &mut values, condition);
        }
        sql.push(')');
        let row = connection.query_one_raw(statement(connection, &sql, values)).await?;
        let row = row.ok_or_else(|| Error::internal("the count returned no row"))?;
        let (given, visible): (i64, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let number = |count: i64| usize::try_from(count).unwrap_or(0);
        Ok((number(visible), number(given) >= most))
    }

    /// Builds the statement for one scan. Its first three values are those of the account's sources.
    fn ids(&self, backend: DbBackend, upto: EntryId, most: usize, order: &str) -> (String, Vec<Value>) {
        let mut values = EntryScope::default().values(self.account_id).to_vec();
        let feeds = list(&self.feeds);
        // The feed ids are literals, so that the planner knows how many there are.
        let mut sql = match (backend, &self.conditions.words) {
            (DbBackend::Sqlite, Some(words)) => {
                values.push(words.as_str().into());
                format!(
                    "SELECT e.id FROM feed_entry_found w CROSS JOIN feed_entry e ON e.id = w.rowid \
                     WHERE w.feed_entry_found MATCH $4 AND e.feed_id IN ({feeds})"
                )
            }
            (_, words) => {
                let mut sql = format!("SELECT e.id FROM feed_entry e WHERE e.feed_id IN ({feeds})");
                if let Some(words) = words {
                    search_text::and(&mut sql, &mut values, index_match(backend, words.clone()));
                }
                sql
            }
        };
        let id = if self.is_index_ordered(backend) { "w.rowid" } else { "e.id" };
        search_text::and(&mut sql, &mut values, (format!("{id} <= ?"), vec![upto.into()]));
        let times = self.filter.times().into_iter();
        let times = times.map(|(condition, time)| (condition, vec![time.into()]));
        let author = self.filter.author.as_deref().map(|name| author::condition(backend, name));
        for condition in times.chain(self.conditions.entry.iter().cloned()).chain(author) {
            search_text::and(&mut sql, &mut values, condition);
        }
        let order = order.replace("e.id", id);
        (format!("{sql} {order} LIMIT {most}"), values)
    }

    /// Returns true if the index returns matches in id order.
    fn is_index_ordered(&self, backend: DbBackend) -> bool {
        backend == DbBackend::Sqlite && self.conditions.words.is_some()
    }

    /// Returns the join with the sources through which the account receives entries `e`, and further conditions.
    fn visible(&self, backend: DbBackend) -> (String, Vec<search_text::SqlCondition>) {
        let plain = |sql: String| (sql, Vec::new());
        let mut more = self.conditions.source.clone();
        more.push(plain(NOT_DUPLICATE.to_owned()));
        more.push(plain(NOT_MUTED.to_owned()));
        more.push(plain(format!("TRUE{}", of_subscriptions(self.filter))));
        // With CROSS JOIN, SQLite keeps the written join order: a few entries first, then the source of each
        // entry.
        let join = if backend == DbBackend::Sqlite { "CROSS JOIN" } else { "JOIN" };
        let own = EntryScope::default().sources();
        let mut sources = format!("{join} ({own}) o ON o.feed_id = e.feed_id AND e.id <= o.last_entry_id");
        if let Some(unread) = self.filter.unread {
            sources.push_str(&format!(" LEFT JOIN {MARKS}"));
            more.push(plain(if unread { IS_UNREAD.to_owned() } else { format!("NOT {IS_UNREAD}") }));
        }
        (sources, more)
    }

    /// Returns the newest matches of a scan that are visible to the account and match the filter, at most `most`.
    async fn visible_candidates(
        &self,
        connection: &impl ConnectionTrait,
        scan: &Scan,
        most: usize,
    ) -> Result<Vec<RelevanceCandidate>> {
        let backend = connection.get_database_backend();
        let (sources, more) = self.visible(backend);
        let mut sql = format!(
            "SELECT DISTINCT e.id, e.title, e.summary, e.author FROM feed_entry e {sources} WHERE {}",
            scan.condition(backend)
        );
        let mut values = EntryScope::default().values(self.account_id).to_vec();
        for condition in more {
            search_text::and(&mut sql, &mut values, condition);
        }
        // The name of an author is compared below, so all matches of the scan may be needed.
        let most = if self.filter.author.is_some() { SCAN_SIZE } else { most };
        sql.push_str(&format!(" ORDER BY e.id DESC LIMIT {most}"));
        let mut candidates = Vec::new();
        for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
            let author: Option<String> = row.try_get_by_index(3)?;
            if self.filter.author.as_ref().is_some_and(|name| !author::is_by(name, author.as_deref())) {
                continue;
            }
            let (title, summary) = (row.try_get_by_index(1)?, row.try_get_by_index(2)?);
            candidates.push(RelevanceCandidate { id: row.try_get_by_index(0)?, title, summary, author });
        }
        Ok(candidates)
    }
}

/// Returns the condition that a source `o` belongs to one of the selected subscriptions.
fn of_subscriptions(filter: &EntryFilter) -> String {
    let only = |ids: &Vec<_>| format!(" AND o.subscription_id IN ({})", list(ids));
    filter.subscriptions.as_ref().map(only).unwrap_or_default()
}

/// Returns an SQL list of ids. If there are none, the list contains `0`, which no row has.
fn list(ids: &[impl ToString]) -> String {
    if ids.is_empty() {
        return "0".to_owned();
    }
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
