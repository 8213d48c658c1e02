//! Objects that an import or a call of an agent created, with fingerprints of their values. Undoing the import or the
//! call deletes only unchanged objects.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, HighlightId, ItemId, NoteId, ObjectId};
use entities::library_words::ObjectKind;
use entities::{library_highlight, library_item, library_note};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::fingerprint;
use crate::tags::Tag;
use crate::{Annotations, LibraryTransaction, annotations, item, keys, remove, tags};
use kernel::{Domain, Result};

/// Object with the fingerprint of its values after its creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreatedObject {
    pub kind: ObjectKind,
    pub id: ObjectId,
    pub mark: i64,
}

/// Existing objects with the fingerprints of their values.
struct MarkedRows {
    items: Vec<(library_item::Model, CreatedObject)>,
    notes: Vec<(library_note::Model, CreatedObject)>,
    highlights: Vec<(library_highlight::Model, CreatedObject)>,
}

/// Computes the fingerprints of objects that were just created. Objects that no longer exist are omitted.
#[boxed]
pub async fn mark_created(
    domain: &Domain,
    account_id: AccountId,
    ids: &[(ObjectKind, ObjectId)],
) -> Result<Vec<CreatedObject>> {
    let rows = MarkedRows::load(domain.db().read(), account_id, ids).await?;
    let items = rows.items.iter().map(|(_, created)| *created);
    let notes = rows.notes.iter().map(|(_, created)| *created);
    Ok(items.chain(notes).chain(rows.highlights.iter().map(|(_, created)| *created)).collect())
}

/// Deletes the objects that were not changed since their creation, and returns their number.
#[boxed]
pub async fn delete_created(
    domain: &Domain,
    account_id: AccountId,
    objects: &[CreatedObject],
) -> Result<usize> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let deleted = delete_unchanged(&mut transaction, objects).await?;
    transaction.commit().await?;
    Ok(deleted)
}

/// Deletes the objects that were not changed since their creation, in an open transaction.
pub(super) async fn delete_unchanged(
    transaction: &mut LibraryTransaction,
    objects: &[CreatedObject],
) -> Result<usize> {
    let ids: Vec<(ObjectKind, ObjectId)> = objects.iter().map(|object| (object.kind, object.id)).collect();
    let rows = MarkedRows::load(transaction.db(), transaction.account_id, &ids).await?;
    let notes = unchanged(rows.notes, objects);
    let highlights = unchanged(rows.highlights, objects);
    let items = unchanged(rows.items, objects);
    annotations::delete_notes(transaction, &notes).await?;
    annotations::delete_highlights(transaction, &highlights).await?;
    // Annotations that a person added to an item are detached, as in every deletion of items.
    remove::delete_in(transaction, &items, Annotations::Keep).await?;
    let notes_from = notes.iter().filter_map(|note| note.detached_from);
    let detached: Vec<ItemId> =
        notes_from.chain(highlights.iter().filter_map(|highlight| highlight.detached_from)).collect();
    // The keys of items that were deleted from this library are retained.
    let deleted = keys::deleted_in_library(transaction, &detached).await?;
    let mut released: Vec<ItemId> = detached.into_iter().filter(|id| !deleted.contains(id)).collect();
    released.extend(items.iter().map(|item| item.id));
    release_keys(transaction, released).await?;
    Ok(notes.len() + highlights.len() + items.len())
}

/// Returns the rows whose fingerprint is the same as at their creation.
fn unchanged<Row>(rows: Vec<(Row, CreatedObject)>, objects: &[CreatedObject]) -> Vec<Row> {
    rows.into_iter().filter(|(_, current)| objects.contains(current)).map(|(row, _)| row).collect()
}

impl MarkedRows {
    async fn load(
        connection: &impl ConnectionTrait,
        account_id: AccountId,
        ids: &[(ObjectKind, ObjectId)],
    ) -> Result<Self> {
        let items = items_of(connection, account_id, &ids_of(ids, ObjectKind::Item)).await?;
        let notes = notes_of(connection, account_id, &ids_of(ids, ObjectKind::Note)).await?;
        let highlights = highlights_of(connection, account_id, &ids_of(ids, ObjectKind::Highlight)).await?;
        let objects: Vec<ObjectId> = ids.iter().map(|(_, id)| *id).collect();
        let names = tags::of_objects(connection, account_id, &objects).await?;
        let created = |kind: ObjectKind, id: ObjectId, mark: &dyn Fn(&[Tag]) -> i64| CreatedObject {
            kind,
            id,
            mark: mark(&tags_of(&names, id)),
        };
        let item = |row: library_item::Model| {
            let mark = |tags: &[Tag]| fingerprint::of_item(&row, tags);
            let created = created(ObjectKind::Item, item::object(row.id), &mark);
            (row, created)
        };
        let note = |row: library_note::Model| {
            let mark = |tags: &[Tag]| fingerprint::of_note(&row, tags);
            let created = created(ObjectKind::Note, row.id.as_uuid().into(), &mark);
            (row, created)
        };
        let highlight = |row: library_highlight::Model| {
            let mark = |tags: &[Tag]| fingerprint::of_highlight(&row, tags);
            let created = created(ObjectKind::Highlight, row.id.as_uuid().into(), &mark);
            (row, created)
        };
        Ok(Self {
            items: items.into_iter().map(item).collect(),
            notes: notes.into_iter().map(note).collect(),
            highlights: highlights.into_iter().map(highlight).collect(),
        })
    }
}

/// Ids of the objects of one kind.
fn ids_of<Id: From<Uuid>>(ids: &[(ObjectKind, ObjectId)], kind: ObjectKind) -> Vec<Id> {
    ids.iter().filter(|(known, _)| *known == kind).map(|(_, id)| id.as_uuid().into()).collect()
}

async fn items_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<Vec<library_item::Model>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = library_item::Entity::owned_by(account_id);
    Ok(rows.filter(library_item::Column::Id.is_in(ids.to_vec())).all(connection).await?)
}

async fn notes_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[NoteId],
) -> Result<Vec<library_note::Model>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = library_note::Entity::owned_by(account_id);
    Ok(rows.filter(library_note::Column::Id.is_in(ids.to_vec())).all(connection).await?)
}

async fn highlights_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[HighlightId],
) -> Result<Vec<library_highlight::Model>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = library_highlight::Entity::owned_by(account_id);
    Ok(rows.filter(library_highlight::Column::Id.is_in(ids.to_vec())).all(connection).await?)
}

fn tags_of(names: &HashMap<ObjectId, Vec<String>>, id: ObjectId) -> Vec<Tag> {
    names.get(&id).into_iter().flatten().filter_map(|name| Tag::of(name)).collect()
}

/// Deletes the keys of items that were deleted by an undo, so that the items can be created again. The keys of
/// items with detached annotations are retained, so that the annotations can be reattached.
async fn release_keys(transaction: &LibraryTransaction, ids: Vec<ItemId>) -> Result<()> {
    let notes: Vec<Option<ItemId>> = library_note::Entity::owned_by(transaction.account_id)
        .select_only()
        .column(library_note::Column::DetachedFrom)
        .filter(library_note::Column::DetachedFrom.is_in(ids.clone()))
        .into_tuple()
        .all(transaction.db())
        .await?;
    let highlights: Vec<Option<ItemId>> = library_highlight::Entity::owned_by(transaction.account_id)
        .select_only()
        .column(library_highlight::Column::DetachedFrom)
        .filter(library_highlight::Column::DetachedFrom.is_in(ids.clone()))
        .into_tuple()
        .all(transaction.db())
        .await?;
    let missed: Vec<ItemId> = notes.into_iter().chain(highlights).flatten().collect();
    let ids: Vec<ItemId> = ids.into_iter().filter(|id| !missed.contains(id)).collect();
    keys::delete_all(transaction, &ids).await
}
