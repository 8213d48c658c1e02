//! Starred entries, including entries of feeds that are not followed.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;
use std::sync::Arc;

use entities::ids::{AccountId, EntryId, ItemId};
use entities::rss_star;
use extract::Document;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryResult, Value};

use super::entry::{Entry, columns_with_content, entry_of_row};
use super::entry_scope::{EntryScope, IS_UNREAD, MARKS, SOURCES};
use crate::saved_entries;
use kernel::statement::{placeholders, statement};
use kernel::{Domain, Result};

/// One page of starred entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StarredPage {
    /// Entries, newest discovered entry first.
    pub entries: Vec<Entry>,
    /// Id after which the next page starts. `None` if this page is the last.
    pub next_after: Option<EntryId>,
}

/// Returns a page of at most `limit` starred entries, newest first, starting after the entry `after`. If the
/// feed of an entry is no longer followed, the entry is listed with the title of the feed itself and counts
/// as read.
#[boxed]
pub async fn list_starred(
    domain: &Domain,
    account_id: AccountId,
    after: Option<EntryId>,
    limit: u32,
) -> Result<StarredPage> {
    let connection = domain.db().read();
    let condition = format!("e.id < $4 ORDER BY e.id DESC LIMIT {}", u64::from(limit) + 1);
    let before = after.map_or(i64::MAX, EntryId::as_i64);
    let rows = rows(connection, account_id, &condition, [before.into()]).await?;
    let mut entries = rows.iter().map(entry_of_row).collect::<Result<Vec<_>>>()?;
    let has_more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let next_after = entries.last().map(|last| last.id).filter(|_| has_more);
    Ok(StarredPage { entries, next_after })
}

/// Returns the texts with which these entries were saved to the library. Entries that are not starred or have
/// no saved text are omitted.
pub(super) async fn saved_texts(
    domain: &Domain,
    account_id: AccountId,
    ids: &[EntryId],
) -> Result<HashMap<EntryId, Arc<Document>>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let stars = rss_star::Entity::owned_by(account_id).filter(rss_star::Column::EntryId.is_in(ids.to_vec()));
    let stars = stars.all(domain.db().read()).await?;
    let items: HashMap<ItemId, EntryId> =
        stars.into_iter().filter_map(|star| Some((star.item_id?, star.entry_id))).collect();
    if items.is_empty() {
        return Ok(HashMap::new());
    }
    let item_ids: Vec<ItemId> = items.keys().copied().collect();
    let texts = saved_entries::texts(domain, account_id, &item_ids).await?;
    Ok(texts.into_iter().filter_map(|(item_id, text)| Some((*items.get(&item_id)?, text))).collect())
}

/// Query for the ids of starred entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct StarredIds {
    pub(super) unread: Option<bool>,
    pub(super) since: Option<EntryId>,
    pub(super) through: EntryId,
    /// Sort direction: `ASC` or `DESC`.
    pub(super) direction: &'static str,
    pub(super) limit: u32,
}

/// Builds the statement that selects up to `limit + 1` ids and discovery times of starred entries.
pub(super) fn ids_query(account_id: AccountId, query: StarredIds) -> (String, Vec<Value>) {
    let direction = query.direction;
    let unread = format!("(o.subscription_id IS NOT NULL AND {IS_UNREAD})");
    let read_state = match query.unread {
        None => String::new(),
        Some(true) => format!(" AND {unread}"),
        Some(false) => format!(" AND NOT {unread}"),
    };
    let sql = format!(
        "SELECT e.id, e.discovered_us FROM rss_star star JOIN feed_entry e ON e.id = star.entry_id \
         LEFT JOIN ({SOURCES}) o ON o.feed_id = e.feed_id AND e.id <= o.last_entry_id LEFT JOIN {MARKS} \
         WHERE star.account_id = $1 AND star.entry_id <= $4 AND star.entry_id > $5{read_state} \
         ORDER BY star.entry_id {direction} LIMIT {}",
        u64::from(query.limit) + 1
    );
    let mut values = EntryScope::default().values(account_id).to_vec();
    values.extend([query.through.into(), query.since.unwrap_or(EntryId::new(0)).into()]);
    (sql, values)
}

/// Returns the row of a starred entry. `None` if the account has not starred it.
pub(super) async fn row(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: EntryId,
) -> Result<Option<QueryResult>> {
    Ok(rows(connection, account_id, "e.id = $4", [id.into()]).await?.into_iter().next())
}

/// Returns the rows of the given entries that are starred.
pub(super) async fn rows_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[EntryId],
) -> Result<Vec<QueryResult>> {
    let condition = format!("e.id IN ({})", placeholders(4, ids.len()));
    rows(connection, account_id, &condition, ids.iter().map(|id| Value::from(*id))).await
}

async fn rows(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    condition: &str,
    further: impl IntoIterator<Item = Value>,
) -> Result<Vec<QueryResult>> {
    let sql = format!(
        "SELECT {} FROM rss_star star JOIN feed_entry e ON e.id = star.entry_id \
         LEFT JOIN ({SOURCES}) o ON o.feed_id = e.feed_id AND e.id <= o.last_entry_id \
         LEFT JOIN rss_subscription s ON s.id = o.subscription_id \
         JOIN feed f ON f.id = COALESCE(s.feed_id, e.feed_id) LEFT JOIN {MARKS} \
         WHERE star.account_id = $1 AND {condition}",
        columns_with_content()
    );
    let values = EntryScope::default().values(account_id).into_iter().chain(further);
    Ok(connection.query_all_raw(statement(connection, &sql, values)).await?)
}
