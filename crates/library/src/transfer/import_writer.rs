//! Writes rows of an import, many in one transaction. New items are created, and existing items receive the
//! values that they lack.

use std::collections::HashMap;
use std::sync::Arc;

use entities::ids::{ImportId, ItemId, ObjectId};
use entities::library_words::ObjectKind;
use entities::{library_blob, library_import_made, library_item};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect,
};

use super::annotation_import;
use super::fingerprint;
use super::import_record::{Completeness, ImportRecord, NewItem, RowError};
use super::native_format;
use super::tally::ImportTally;
use crate::keys::{self, Holder, Key};
use crate::tags::{self, Tag};
use crate::text::{self, Original, PackedText};
use crate::{LibraryTransaction, annotations, change, item, text_request};
use kernel::{Code, Result};

const ROWS_PER_STATEMENT: usize = 100;

/// Import whose rows are written, and its options.
#[derive(Clone, Copy)]
pub(super) struct ImportScope {
    pub(super) import_id: ImportId,
    pub(super) include_deleted: bool,
}

/// Rows to be written for the new items of one transaction.
#[derive(Default)]
struct NewItems {
    rows: Vec<library_item::Model>,
    tags: Vec<(ObjectId, Vec<Tag>)>,
    keys: Vec<(ItemId, Vec<Key>)>,
    texts: Vec<(ItemId, PackedText)>,
    originals: Vec<(ItemId, Original)>,
    blobs: Vec<String>,
    returned: Vec<(ItemId, Vec<Key>)>,
    duplicates: Vec<(ItemId, Key)>,
}

/// Writes rows in an open transaction.
pub(super) async fn write_batch(
    writing: &mut LibraryTransaction,
    scope: ImportScope,
    batch: Vec<ImportRecord>,
) -> Result<ImportTally> {
    let mut tally = ImportTally::default();
    let mut holders = holders(writing, &batch).await?;
    let mut fresh = NewItems::default();
    let mut annotations = Vec::new();
    for row in batch {
        for warning in &row.warnings {
            tally.note(row.number, warning);
        }
        let holder = row.keys.iter().chain(&row.refers_to).find_map(|key| holders.get(&key.hash()).copied());
        let id = match (row.item, holder) {
            (Some(new), Some(Holder::Item(id))) if !fresh.rows.iter().any(|made| made.id == id) => {
                fill(writing, id, new, &row.keys, &row.tags).await?;
                tally.existing += 1;
                Some(id)
            }
            (Some(_), Some(Holder::Item(id))) => {
                tally.existing += 1;
                Some(id)
            }
            (Some(_), Some(Holder::Deleted(_))) if !scope.include_deleted => {
                tally.refuse(
                    row.number,
                    &RowError::skipped("deleted", "the item was deleted from this library"),
                );
                continue;
            }
            (Some(new), was_there) => {
                let Some(id) = create(writing, &mut fresh, new, &row.keys, row.tags).await? else {
                    let code = Code::StorageLimitReached.as_str();
                    tally.refuse(row.number, &RowError::of(code, "the storage of the account is used up"));
                    continue;
                };
                if was_there.is_some() {
                    fresh.returned.push((id, row.keys.clone()));
                }
                holders.extend(row.keys.iter().map(|key| (key.hash(), Holder::Item(id))));
                tally.created += 1;
                Some(id)
            }
            (None, Some(Holder::Item(id))) => Some(id),
            (None, Some(Holder::Deleted(_)) | None) => None,
        };
        annotations.extend(row.annotations.into_iter().map(|annotation| (row.number, id, annotation)));
    }
    for (id, of) in &fresh.duplicates {
        if let (Some(row), Some(Holder::Item(other))) =
            (fresh.rows.iter_mut().find(|row| row.id == *id), holders.get(&of.hash()))
        {
            row.duplicate_of = Some(*other).filter(|other| other != id);
        }
    }
    write(writing, &mut fresh).await?;
    let mut made: Vec<(ObjectId, ObjectKind, i64)> = Vec::new();
    for (row, (_, tags)) in fresh.rows.iter().zip(&fresh.tags) {
        made.push((item::object(row.id), ObjectKind::Item, fingerprint::of_item(row, tags)));
    }
    made.extend(annotation_import::write_annotations(writing, annotations, &mut tally).await?);
    record_created(writing, scope.import_id, made).await?;
    Ok(tally)
}

async fn holders(writing: &LibraryTransaction, batch: &[ImportRecord]) -> Result<HashMap<Vec<u8>, Holder>> {
    let duplicates = batch.iter().filter_map(|row| row.item.as_ref()?.duplicate_of.as_ref());
    let keys = batch.iter().flat_map(|row| row.keys.iter().chain(&row.refers_to));
    let keys: Vec<Key> = keys.chain(duplicates).cloned().collect();
    let key_holders = keys::holders(writing.db(), writing.account_id, &keys).await?;
    let mut holders: HashMap<Vec<u8>, Holder> =
        keys.iter().zip(key_holders).filter_map(|(key, holder)| Some((key.hash(), holder?))).collect();
    // Items that were exported from this library have the same ids in the file.
    let own: HashMap<ItemId, &Key> =
        keys.iter().filter_map(|key| Some((native_format::source_item_id(key)?, key))).collect();
    let ids: Vec<ItemId> = own.keys().copied().collect();
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let existing: Vec<ItemId> = library_item::Entity::owned_by(writing.account_id)
            .select_only()
            .column(library_item::Column::Id)
            .filter(library_item::Column::Id.is_in(ids.to_vec()))
            .into_tuple()
            .all(writing.db())
            .await?;
        let existing = existing.into_iter().filter_map(|id| Some((own.get(&id)?.hash(), Holder::Item(id))));
        holders.extend(existing);
    }
    Ok(holders)
}

/// Adds a new item. `None` if the storage of the account is used up.
async fn create(
    writing: &mut LibraryTransaction,
    fresh: &mut NewItems,
    new: NewItem,
    keys: &[Key],
    tags: Vec<Tag>,
) -> Result<Option<ItemId>> {
    if writing.require_capacity().is_err() {
        return Ok(None);
    }
    let NewItem { mut row, text, original, blob, completeness, duplicate_of } = new;
    row.account_id = writing.account_id;
    if let Some(packed) = text.as_ref().filter(|_| completeness == Completeness::Partial) {
        text_request::fill_from_text(writing, &mut row, packed).await?;
    }
    row.stored_bytes = item::own_bytes(&row)
        + text.as_ref().map_or(0, |packed| text::bytes_of(&packed.text.document))
        + original.as_ref().map_or(0, Original::bytes)
        + row.asset_size.unwrap_or(0);
    writing.count(0, row.stored_bytes);
    if writing.require_fit().is_err() {
        writing.count(row.stored_bytes, 0);
        return Ok(None);
    }
    let id = row.id;
    let stamp = writing.stamp(ObjectKind::Item, item::object(id));
    (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
    fresh.rows.push(row);
    fresh.tags.push((item::object(id), tags));
    fresh.keys.push((id, keys.to_vec()));
    fresh.texts.extend(text.map(|text| (id, text)));
    fresh.originals.extend(original.map(|original| (id, original)));
    fresh.blobs.extend(blob);
    fresh.duplicates.extend(duplicate_of.map(|of| (id, of)));
    Ok(Some(id))
}

/// Writes the new items with few statements per table.
async fn write(writing: &mut LibraryTransaction, fresh: &mut NewItems) -> Result<()> {
    for rows in fresh.rows.chunks(ROWS_PER_STATEMENT) {
        let rows = rows.iter().map(|row| row.clone().into_active_model().reset_all());
        library_item::Entity::insert_many(rows).exec_without_returning(writing.db()).await?;
    }
    tags::replace(writing, ObjectKind::Item, &fresh.tags).await?;
    for (id, returned) in &fresh.returned {
        if let Some(row) = fresh.rows.iter().find(|row| row.id == *id) {
            annotations::reattach(writing, returned, row).await?;
        }
    }
    let keys = fresh.keys.iter().flat_map(|(id, keys)| keys.iter().map(|key| (*id, key)));
    keys::assign_all(writing, keys.collect()).await?;
    let mut words = HashMap::new();
    for (id, packed) in std::mem::take(&mut fresh.texts) {
        words.insert(id, Arc::clone(&packed.words));
        text::put(writing, id, packed).await?;
    }
    for (id, original) in &fresh.originals {
        text::put_original(writing, *id, original).await?;
    }
    if !fresh.blobs.is_empty() {
        library_blob::Entity::update_many()
            .set(library_blob::ActiveModel { delete_at: Set(None), ..Default::default() })
            .filter(library_blob::Column::AccountId.eq(writing.account_id))
            .filter(library_blob::Column::Blob.is_in(fresh.blobs.clone()))
            .exec(writing.db())
            .await?;
    }
    let items = item::with_tags(writing.db(), writing.account_id, fresh.rows.clone()).await?;
    item::index(writing, &items, |id: ItemId| words.get(&id).cloned()).await
}

/// Adds the values that an existing item lacks.
async fn fill(
    writing: &mut LibraryTransaction,
    id: ItemId,
    new: NewItem,
    keys: &[Key],
    tags: &[Tag],
) -> Result<()> {
    let Some(row) = item::row(writing.db(), writing.account_id, id).await? else { return Ok(()) };
    keys::assign(writing, id, keys).await?;
    let grew = tags::add(writing, ObjectKind::Item, item::object(id), tags).await?;
    let mut filled = row.clone();
    filled.author = filled.author.or(new.row.author);
    filled.published_at = filled.published_at.or(new.row.published_at);
    filled.external_id = filled.external_id.or(new.row.external_id);
    filled.metadata = filled.metadata.or(new.row.metadata);
    filled.stored_bytes += item::own_bytes(&filled) - item::own_bytes(&row);
    let packed = new.text.filter(|_| row.content_hash.is_none());
    if let Some(packed) = &packed {
        filled.stored_bytes += text::bytes_of(&packed.text.document);
        filled.ask += 1;
        text_request::fill_from_text(writing, &mut filled, packed).await?;
    }
    if filled == row && !grew {
        return Ok(());
    }
    writing.count(row.stored_bytes, filled.stored_bytes);
    if writing.require_fit().is_err() {
        writing.count(filled.stored_bytes, row.stored_bytes);
        return Ok(());
    }
    if let Some(packed) = packed {
        return text_request::write_with_text(writing, filled, packed).await;
    }
    let row = item::write(writing, filled).await?;
    let items = item::with_tags(writing.db(), writing.account_id, vec![row]).await?;
    change::reindex(writing, &items).await
}

async fn record_created(
    writing: &LibraryTransaction,
    import_id: ImportId,
    made: Vec<(ObjectId, ObjectKind, i64)>,
) -> Result<()> {
    for made in made.chunks(ROWS_PER_STATEMENT) {
        let rows = made.iter().map(|(object_id, kind, mark)| library_import_made::ActiveModel {
            import_id: Set(import_id),
            object_id: Set(*object_id),
            account_id: Set(writing.account_id),
            kind: Set(*kind),
            mark: Set(*mark),
        });
        library_import_made::Entity::insert_many(rows).exec_without_returning(writing.db()).await?;
    }
    Ok(())
}
