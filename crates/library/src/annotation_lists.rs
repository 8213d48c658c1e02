//! Lists of notes and of highlights.

use entities::ids::{AccountId, ItemId, ObjectId};
use entities::{library_highlight, library_note};
use sea_orm::{ConnectionTrait, FromQueryResult, Value};

use super::highlights::{self, Highlight};
use super::notes::{self, Note};
use super::place::Place;
use super::search::matches::Conditions;
use super::tags::Tag;
use kernel::clock::Millis;
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::statement::statement;

/// Which notes or highlights are wanted. All conditions hold together.
#[derive(Clone, Debug, Default)]
pub struct AnnotationFilter {
    /// Of this item.
    pub item_id: Option<ItemId>,
    /// With this tag.
    pub tag: Option<String>,
    /// Changed after this time.
    pub updated_after: Option<Millis>,
}

/// A page of notes or of highlights.
#[derive(Clone, Debug)]
pub struct AnnotationPage<T> {
    /// In the list's order.
    pub all: Vec<T>,
    /// Where the next page begins, when there is one.
    pub next: Option<Place>,
}

/// The order of a list: a column of the table, and its direction.
#[derive(Clone, Copy)]
struct Order {
    column: &'static str,
    sign: &'static str,
    direction: &'static str,
}

const NEWEST: Order = Order { column: "created_at", sign: "<", direction: "DESC" };
const CHANGED: Order = Order { column: "updated_at", sign: ">", direction: "ASC" };
/// Those without a place come last.
const IN_TEXT: Order = Order { column: "COALESCE(start_offset, 2147483647)", sign: ">", direction: "ASC" };

/// At most `limit` notes after `after`, the newest first; with `updated_after` in the order of their changes.
///
/// # Errors
/// What the database said.
pub async fn list_notes(
    domain: &Domain,
    account_id: AccountId,
    filter: &AnnotationFilter,
    after: Option<Place>,
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
    Ok(AnnotationPage { all: notes::all_with_tags(connection, account_id, rows).await?, next })
}

/// At most `limit` highlights after `after`, the newest first; those of one item as they stand in its text; with
/// `updated_after` in the order of their changes.
///
/// # Errors
/// What the database said.
pub async fn list_highlights(
    domain: &Domain,
    account_id: AccountId,
    filter: &AnnotationFilter,
    after: Option<Place>,
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
            (None, Some(_)) => row.start_offset.unwrap_or(i32::MAX).into(),
            (None, None) => row.created_at,
        };
        (at, row.id.as_u128())
    };
    let (rows, next) = cut(rows, limit, key);
    Ok(AnnotationPage { all: highlights::show_all(connection, account_id, rows).await?, next })
}

fn cut<T>(mut rows: Vec<T>, limit: u32, key: impl Fn(&T) -> (Millis, u128)) -> (Vec<T>, Option<Place>) {
    let has_more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().filter(|_| has_more).map(key);
    let next = last.map(|(at, id)| Place::Key { at, id, total: 0 });
    (rows, next)
}

async fn rows<T: FromQueryResult>(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    table: &str,
    order: Order,
    filter: &AnnotationFilter,
    after: Option<Place>,
    limit: u32,
) -> Result<Vec<T>> {
    let Order { column, sign, direction } = order;
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
    if let Some(Place::Key { at, id, .. }) = after {
        let values = [at.into(), ObjectId::from_u128(id).into()];
        conditions.and(&format!("({column}, n.id) {sign} (?, ?)"), values);
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
