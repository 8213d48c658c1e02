//! Lists the notes and highlights of a library.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, ObjectId};
use entities::{library_highlight, library_note};
use sea_orm::{ConnectionTrait, FromQueryResult, Value};

use super::highlights::{self, Highlight};
use super::list_position::ListPosition;
use super::notes::{self, Note};
use super::search::matches::Conditions;
use super::tags::Tag;
use kernel::statement::statement;
use kernel::{Domain, Millis, Result};

/// Filter of notes or highlights. Conditions are combined with AND.
#[derive(Clone, Debug, Default)]
pub struct AnnotationFilter {
    pub item_id: Option<ItemId>,
    pub tag: Option<String>,
    /// Includes only annotations that changed after this time.
    pub updated_after: Option<Millis>,
}

/// Page of notes or highlights.
#[derive(Clone, Debug)]
pub struct AnnotationPage<T> {
    /// Notes or highlights of the page, in the order of the list.
    pub annotations: Vec<T>,
    /// Position of the next page. `None` on the last page.
    pub next: Option<ListPosition>,
}

/// Order of a list: sort column, operator that selects the rows after a position, and direction.
#[derive(Clone, Copy)]
struct ListOrder {
    column: &'static str,
    operator: &'static str,
    direction: &'static str,
}

const NEWEST: ListOrder = ListOrder { column: "created_at", operator: "<", direction: "DESC" };
const CHANGED: ListOrder = ListOrder { column: "updated_at", operator: ">", direction: "ASC" };
/// Highlights without a position in the text come last, in the order of their creation, because the sum is larger than
/// every position.
const IN_TEXT: ListOrder =
    ListOrder { column: "COALESCE(start_offset, created_at + 2147483648)", operator: ">", direction: "ASC" };
/// Number that is added to the creation time of a highlight without a position, so that it sorts after every position.
const AFTER_TEXT: Millis = 2_147_483_648;

/// Returns up to `limit` notes after the position `after`, newest first. If the filter has `updated_after`, the notes
/// are listed from the least to the most recently changed.
#[boxed]
pub async fn list_notes(
    domain: &Domain,
    account_id: AccountId,
    filter: &AnnotationFilter,
    after: Option<ListPosition>,
    limit: u32,
) -> Result<AnnotationPage<Note>> {
    let connection = domain.db().read();
    let order = if filter.updated_after.is_some() { CHANGED } else { NEWEST };
    let rows: Vec<library_note::Model> =
        rows(connection, account_id, "library_note", order, filter, after, limit).await?;
    let key = |row: &library_note::Model| match filter.updated_after {
        Some(_) => (row.updated_at, row.id.as_u128()),
        None => (row.created_at, row.id.as_u128()),
    };
    let (rows, next) = cut(rows, limit, key);
    Ok(AnnotationPage { annotations: notes::all_with_tags(connection, account_id, rows).await?, next })
}

/// Returns up to `limit` highlights after the position `after`, newest first. If the filter has an item, its highlights
/// are listed in the order of its text. If the filter has `updated_after`, the highlights are listed from the least to
/// the most recently changed.
#[boxed]
pub async fn list_highlights(
    domain: &Domain,
    account_id: AccountId,
    filter: &AnnotationFilter,
    after: Option<ListPosition>,
    limit: u32,
) -> Result<AnnotationPage<Highlight>> {
    let connection = domain.db().read();
    let order = match (filter.updated_after, filter.item_id) {
        (Some(_), _) => CHANGED,
        (None, Some(_)) => IN_TEXT,
        (None, None) => NEWEST,
    };
    let rows: Vec<library_highlight::Model> =
        rows(connection, account_id, "library_highlight", order, filter, after, limit).await?;
    let key = |row: &library_highlight::Model| {
        let at = match (filter.updated_after, filter.item_id) {
            (Some(_), _) => row.updated_at,
            (None, Some(_)) => row.start_offset.map_or(row.created_at + AFTER_TEXT, Millis::from),
            (None, None) => row.created_at,
        };
        (at, row.id.as_u128())
    };
    let (rows, next) = cut(rows, limit, key);
    Ok(AnnotationPage { annotations: highlights::resolve_all(connection, account_id, rows).await?, next })
}

fn cut<T>(
    mut rows: Vec<T>,
    limit: u32,
    key: impl Fn(&T) -> (Millis, u128),
) -> (Vec<T>, Option<ListPosition>) {
    let has_more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().filter(|_| has_more).map(key);
    let next = last.map(|(at, id)| ListPosition::Key { at, id, total: 0 });
    (rows, next)
}

async fn rows<T: FromQueryResult>(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    table: &str,
    order: ListOrder,
    filter: &AnnotationFilter,
    after: Option<ListPosition>,
    limit: u32,
) -> Result<Vec<T>> {
    let ListOrder { column, operator, direction } = order;
    let mut conditions = Conditions::default();
    if let Some(item_id) = filter.item_id {
        conditions.and("n.item_id = ?", [item_id.into()]);
    }
    if let Some(tag) = &filter.tag {
        let Some(tag) = Tag::of(tag) else { return Ok(Vec::new()) };
        let sql = "EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = ? AND g.tag_key = ? \
                   AND g.object_id = n.id)";
        conditions.and(sql, [account_id.into(), tag.key.into()]);
    }
    if let Some(time) = filter.updated_after {
        conditions.and("n.updated_at > ?", [time.into()]);
    }
    if let Some(ListPosition::Key { at, id, .. }) = after {
        let values = [at.into(), ObjectId::from_u128(id).into()];
        conditions.and(&format!("({column}, n.id) {operator} (?, ?)"), values);
    }
    let (more, further) = conditions.render(2);
    let sql = format!(
        "SELECT n.* FROM {table} n WHERE n.account_id = $1{more} \
         ORDER BY {column} {direction}, n.id {direction} LIMIT {}",
        u64::from(limit) + 1
    );
    let values: Vec<Value> = std::iter::once(account_id.into()).chain(further).collect();
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let read = |row: &sea_orm::QueryResult| Ok(T::from_query_result(row, "")?);
    rows.iter().map(read).collect()
}
