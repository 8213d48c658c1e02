//! Computes the rows of a library's search index for PostgreSQL from the objects of the library, page by
//! page. The rows cannot be copied, because the index of an embedded database does not return its words.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, HighlightId, ItemId, NoteId, ObjectId};
use entities::library_search::{self, Column};
use entities::library_words::ObjectKind;
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseConnection, QueryFilter, QueryOrder, QuerySelect};

use super::search::index::{self, IndexedObject};
use super::{change, highlights, item, notes, transaction};
use kernel::Result;

/// Maximum number of objects per page. Bounds memory, because the texts of a page are loaded at the same
/// time.
const OBJECTS_PER_PAGE: u64 = 16;

/// Row of the search index with its words as the text of a `tsvector`.
#[derive(Clone, Debug)]
pub struct PostgresIndexRow {
    /// Id of the stored row. `None` if the object had fewer rows when it was indexed.
    pub id: Option<i64>,
    pub object_id: ObjectId,
    pub kind: ObjectKind,
    /// Index of the row among the rows of its object, from 0.
    pub part: i32,
    /// Packed counts of the words.
    pub counts: Vec<u8>,
    /// Hashes of the words of the object, in the order of the text.
    pub word_order: Vec<u8>,
    pub words: String,
}

/// Index rows of some objects of a library.
#[derive(Clone, Debug)]
pub struct IndexPage {
    pub rows: Vec<PostgresIndexRow>,
    /// Last object of the page, after which the next page starts.
    pub last: ObjectId,
}

/// Returns the index rows of the objects that follow the object `after`, or of the first objects if `after`
/// is `None`. Returns `None` if no indexed object follows.
#[boxed]
pub async fn index_page(
    connection: &DatabaseConnection,
    account_id: AccountId,
    after: Option<ObjectId>,
) -> Result<Option<IndexPage>> {
    let Some(library) = transaction::committed_state(connection, account_id).await? else { return Ok(None) };
    let objects = next_objects(connection, account_id, after).await?;
    let Some((last, _)) = objects.last().copied() else { return Ok(None) };
    let stored: Vec<(ObjectId, i32, i64)> = library_search::Entity::owned_by(account_id)
        .select_only()
        .columns([Column::ObjectId, Column::Part, Column::Id])
        .filter(Column::ObjectId.is_in(objects.iter().map(|(id, _)| *id)))
        .into_tuple()
        .all(connection)
        .await?;
    let ids: HashMap<(ObjectId, i32), i64> =
        stored.into_iter().map(|(object_id, part, id)| ((object_id, part), id)).collect();
    let to_index = indexed_objects(connection, account_id, &objects).await?;
    let row = |entry: index::IndexEntry| PostgresIndexRow {
        id: ids.get(&(entry.object_id, entry.part)).copied(),
        object_id: entry.object_id,
        kind: entry.kind,
        part: entry.part,
        words: entry.tsvector(),
        counts: entry.counts,
        word_order: entry.word_order,
    };
    let entries = index::compute(library.number, to_index).await?.rows;
    Ok(Some(IndexPage { rows: entries.into_iter().map(row).collect(), last }))
}

/// Returns a page of the indexed objects after `after`.
pub(crate) async fn next_objects(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    after: Option<ObjectId>,
) -> Result<Vec<(ObjectId, ObjectKind)>> {
    let query = library_search::Entity::owned_by(account_id)
        .select_only()
        .columns([Column::ObjectId, Column::Kind])
        .filter(Column::Part.eq(0))
        .filter(Column::ObjectId.gt(after.unwrap_or(ObjectId::from_u128(0))))
        .order_by_asc(Column::ObjectId)
        .limit(OBJECTS_PER_PAGE);
    Ok(query.into_tuple().all(connection).await?)
}

/// Loads items, notes, and highlights as objects that the search index receives.
pub(crate) async fn indexed_objects(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    objects: &[(ObjectId, ObjectKind)],
) -> Result<Vec<IndexedObject>> {
    let of_kind = |kind: ObjectKind| {
        objects.iter().filter(move |(_, other)| *other == kind).map(|(id, _)| id.as_uuid())
    };
    let items: Vec<ItemId> = of_kind(ObjectKind::Item).map(ItemId::from).collect();
    let items = item::find_all(connection, account_id, &items).await?;
    let mut to_index = change::indexed_objects(connection, account_id, &items).await?;
    let ids: Vec<NoteId> = of_kind(ObjectKind::Note).map(NoteId::from).collect();
    to_index.extend(notes::indexed_objects(connection, account_id, &ids).await?);
    let ids: Vec<HighlightId> = of_kind(ObjectKind::Highlight).map(HighlightId::from).collect();
    to_index.extend(highlights::indexed_objects(connection, account_id, &ids).await?);
    Ok(to_index)
}
