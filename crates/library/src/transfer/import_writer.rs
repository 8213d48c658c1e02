//! Writes batches of imported rows, each batch in one transaction. Creates new items, and adds values that
//! existing items lack.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use entities::ids::{AccountId, ImportId, ItemId, ObjectId};
use entities::library_words::{ObjectKind, RowOutcome, TextOrigin};
use entities::{library_blob, library_import_made, library_item};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect,
};

use super::annotation_import;
use super::fingerprint;
use super::highlight_merge::RowAnnotation;
use super::import_record::{Completeness, ImportRecord, ImportScope, ImportedAnnotation, NewItem, RowError};
use super::item_merge::{self, History};
use super::known_items::KnownItems;
use super::native_format;
use super::service_ids;
use super::tally::ImportTally;
use crate::keys::{self, Holder, ItemKey, RetiredKey};
use crate::page_copies::{self, ImportedCopy};
use crate::quote_match::SearchBudget;
use crate::tags::{self, Tag};
use crate::text::{self, Original, PackedText};
use crate::{LibraryTransaction, annotations, change, highlight_anchor, item, rule_queue, text_request};
use kernel::{Code, Domain, Result};

const ROWS_PER_STATEMENT: usize = 100;

/// Rows that are to be written for the new items of one transaction.
#[derive(Default)]
struct NewItems {
    rows: Vec<library_item::Model>,
    tags: Vec<(ObjectId, Vec<Tag>)>,
    keys: Vec<(ItemId, Vec<ItemKey>)>,
    texts: Vec<(ItemId, PackedText)>,
    originals: Vec<(ItemId, Original)>,
    blobs: Vec<String>,
    returned: Vec<(ItemId, Vec<ItemKey>)>,
    duplicates: Vec<(ItemId, ItemKey)>,
}

impl NewItems {
    /// Returns each item with its kind and fingerprint.
    fn fingerprints(&self) -> Vec<(ObjectId, ObjectKind, i64)> {
        let items = self.rows.iter().zip(&self.tags);
        let fingerprint =
            |(row, (_, tags)): (&library_item::Model, &(ObjectId, Vec<Tag>))| fingerprint::of_item(row, tags);
        items.map(|item| (item::object(item.0.id), ObjectKind::Item, fingerprint(item))).collect()
    }
}

/// Computes the positions of existing highlights in the texts of a batch. Called before the transaction that writes the
/// batch. Items that have a text are left out, because their texts are not replaced.
pub(super) async fn compute_anchors(
    domain: &Domain,
    account_id: AccountId,
    batch: &mut [ImportRecord],
) -> Result<()> {
    let connection = domain.db().read();
    let has_text = |row: &&ImportRecord| row.item.as_ref().is_some_and(|new| new.text.is_some());
    let hashes: Vec<Vec<u8>> =
        batch.iter().filter(has_text).flat_map(|row| row.keys.iter().map(ItemKey::hash)).collect();
    let holders = keys::holders_of_hashes(connection, account_id, &hashes).await?;
    let existing: Vec<ItemId> = holders.values().filter_map(|holder| holder.item()).collect();
    let mut texted: HashSet<ItemId> = HashSet::new();
    for ids in existing.chunks(ROWS_PER_STATEMENT) {
        let ids: Vec<ItemId> = library_item::Entity::owned_by(account_id)
            .select_only()
            .column(library_item::Column::Id)
            .filter(library_item::Column::Id.is_in(ids.to_vec()))
            .filter(library_item::Column::ContentHash.is_not_null())
            .into_tuple()
            .all(connection)
            .await?;
        texted.extend(ids);
    }
    for row in batch {
        let Some(packed) = row.item.as_mut().and_then(|new| new.text.as_mut()) else { continue };
        let holders = row.keys.iter().filter_map(|key| holders.get(&key.hash()));
        let ids = holders.map(|holder| holder.id());
        let ids: Vec<ItemId> = ids.filter(|id| !texted.contains(id)).collect();
        packed.anchors =
            highlight_anchor::anchors_of(domain, account_id, &ids, &packed.text.document).await?;
    }
    Ok(())
}

/// Writes rows in an open transaction.
pub(super) async fn write_batch(
    transaction: &mut LibraryTransaction,
    scope: ImportScope,
    batch: Vec<ImportRecord>,
) -> Result<ImportTally> {
    let mut tally = ImportTally::default();
    let mut holders = holders(transaction, &batch).await?;
    let deletions = deletions(transaction, scope, &holders).await?;
    let pages = service_ids::pages_with_ids(transaction, &batch, &holders).await?;
    let mut known = KnownItems::load(transaction, scope.import_id, &batch, &holders).await?;
    let mut fresh = NewItems::default();
    let (mut annotations, mut copies, mut deleted) = (Vec::new(), Vec::new(), Vec::new());
    for mut row in batch {
        service_ids::separate_page(&mut row, &holders, |id| pages.contains(&id) || fresh.has_url(id));
        tally.note_all(row.number, &row.warnings);
        let is_of_annotations = row.is_of_annotations();
        let holder = holder_of(&row, &holders, &deletions);
        let matched = match (row.item, holder) {
            (Some(new), Some(Holder::Item(id))) => {
                let problems = match fresh.rows.iter().position(|made| made.id == id) {
                    Some(at) => fresh.merge(transaction, at, new, &row.keys, &row.tags).await?,
                    None => fill(transaction, &mut known, id, new, &row.keys, &row.tags).await?,
                };
                tally.note_all(row.number, &problems);
                tally.settle_existing(row.number, id, is_of_annotations);
                Ok(Some(id))
            }
            (Some(_), Some(Holder::Deleted(deleted_id))) if deletions.contains(&deleted_id) => {
                deleted.extend(hold_deleted(&mut holders, deleted_id, &row.keys));
                Err(was_deleted())
            }
            (Some(new), was_there) => {
                let made = create(transaction, &mut fresh, new, &row.keys, row.tags).await?;
                if let Some(id) = made {
                    fresh.returned.extend(was_there.map(|_| (id, row.keys.clone())));
                    tally.settle(row.number, RowOutcome::Created, made);
                }
                made.map(Some).ok_or_else(storage_is_full)
            }
            (None, holder) => item_of(row.refers_to.as_ref(), holder, &deletions)
                .inspect(|id| tally.settle(row.number, RowOutcome::Annotation, *id)),
        };
        let refuse = |problem: &RowError| tally.refuse(row.number, problem);
        let Ok(id) = matched.inspect_err(refuse) else { continue };
        match id {
            Some(id) => hold(&mut holders, id, &row.keys),
            None => deleted.extend(hold_detached(&mut holders, holder, &mut row.annotations)),
        }
        annotations.extend(row.annotations.into_iter().map(|annotation| (row.number, id, annotation)));
        copies.extend(id.zip(row.page_copy).map(|(id, copy)| (row.number, id, copy)));
    }
    attach_detached(&mut annotations, &holders);
    keys::assign_to_deleted(transaction, &deleted).await?;
    // Keys that a new item shares with an existing item belong to the existing item.
    known.finish(transaction).await?;
    fresh.link_duplicates(&holders);
    write(transaction, &mut fresh).await?;
    write_copies(transaction, copies, &mut tally).await?;
    let mut made = fresh.fingerprints();
    made.extend(annotation_import::write_annotations(transaction, scope, annotations, &mut tally).await?);
    record_created(transaction, scope.import_id, made).await?;
    Ok(tally)
}

/// Adds page copies to items that have no copy of the same format.
async fn write_copies(
    transaction: &mut LibraryTransaction,
    copies: Vec<(u64, ItemId, ImportedCopy)>,
    tally: &mut ImportTally,
) -> Result<()> {
    for (number, item_id, copy) in copies {
        match page_copies::add_imported(transaction, item_id, copy).await {
            Ok(true) => {}
            Ok(false) => tally.note(number, &has_another_copy()),
            Err(error) if error.code == Code::StorageLimitReached => tally.note(number, &storage_is_full()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns the items that the import does not create again, because they were deleted from this library.
async fn deletions(
    transaction: &LibraryTransaction,
    scope: ImportScope,
    holders: &HashMap<Vec<u8>, Holder>,
) -> Result<HashSet<ItemId>> {
    if scope.include_deleted {
        return Ok(HashSet::new());
    }
    let deleted: HashSet<ItemId> =
        holders.values().filter(|holder| holder.item().is_none()).map(|holder| holder.id()).collect();
    let deleted: Vec<ItemId> = deleted.into_iter().collect();
    keys::deleted_in_library(transaction, &deleted).await
}

/// Returns the holder of a row. If no item exists, items in `deletions` have precedence over items that were deleted
/// from another library.
fn holder_of(
    row: &ImportRecord,
    holders: &HashMap<Vec<u8>, Holder>,
    deletions: &HashSet<ItemId>,
) -> Option<Holder> {
    let holder = row.holder(holders)?;
    if holder.item().is_some() {
        return Some(holder);
    }
    let mut of_keys = row.keys.iter().filter_map(|key| holders.get(&key.hash()).copied());
    of_keys.find(|holder| deletions.contains(&holder.id())).or(Some(holder))
}

/// Returns the item of a row that consists of annotations or a page copy. `None` if the row names no item, or only a
/// deleted item of its source.
///
/// # Errors
/// Returns an error if the item was deleted, or is not in the library.
fn item_of(
    key: Option<&ItemKey>,
    holder: Option<Holder>,
    deletions: &HashSet<ItemId>,
) -> Result<Option<ItemId>, RowError> {
    match (key, holder) {
        (None, holder) => Ok(holder.and_then(Holder::item)),
        (Some(_), Some(Holder::Item(id))) => Ok(Some(id)),
        (Some(_), Some(Holder::Deleted(id))) if deletions.contains(&id) => Err(was_deleted()),
        (Some(_), Some(Holder::Deleted(_)) | None) => {
            Err(RowError::of("missing_item", "the item of this row is not in the library"))
        }
    }
}

/// Problem of a row whose item was deleted.
pub(super) fn was_deleted() -> RowError {
    RowError::skipped("deleted", "the item was deleted from this library")
}

fn has_another_copy() -> RowError {
    RowError::of("existing_copy", "the item already has another copy of its page in this format")
}

fn storage_is_full() -> RowError {
    RowError::of(Code::StorageLimitReached.as_str(), "the storage of the account is used up")
}

/// Assigns the keys of a row to its item, so that subsequent rows of the batch match the item. A key that
/// belongs to another existing item is not reassigned.
fn hold(holders: &mut HashMap<Vec<u8>, Holder>, id: ItemId, keys: &[ItemKey]) {
    for key in keys {
        let holder = holders.entry(key.hash()).or_insert(Holder::Item(id));
        if matches!(holder, Holder::Deleted(_)) {
            *holder = Holder::Item(id);
        }
    }
}

/// Assigns the keys of a skipped row to its deleted item. Returns those to which other rows of the file may refer.
fn hold_deleted(
    holders: &mut HashMap<Vec<u8>, Holder>,
    id: ItemId,
    keys: &[ItemKey],
) -> Vec<(ItemId, RetiredKey)> {
    let named = keys.iter().filter(|key| native_format::source_item_id(key).is_some());
    named
        .map(|key| {
            holders.entry(key.hash()).or_insert(Holder::Deleted(id));
            (id, RetiredKey::of(key))
        })
        .collect()
}

/// Assigns the keys of the deleted items of annotations to them, or to the deleted item of this library to which one of
/// the keys belonged. Returns the keys.
fn hold_detached(
    holders: &mut HashMap<Vec<u8>, Holder>,
    holder: Option<Holder>,
    annotations: &mut [ImportedAnnotation],
) -> Vec<(ItemId, RetiredKey)> {
    let mut retired = Vec::new();
    for item in annotations.iter_mut().filter_map(|annotation| annotation.detached_from.as_mut()) {
        if let Some(Holder::Deleted(id)) = holder {
            item.id = id;
        }
        for key in &item.keys {
            holders.entry(key.hash.clone()).or_insert(Holder::Deleted(item.id));
            retired.push((item.id, key.clone()));
        }
    }
    retired
}

/// Attaches annotations of deleted items to the items that subsequent rows of the batch created with the same keys.
fn attach_detached(annotations: &mut [RowAnnotation], holders: &HashMap<Vec<u8>, Holder>) {
    for (_, item_id, annotation) in annotations.iter_mut().filter(|(_, item_id, _)| item_id.is_none()) {
        let mut keys = annotation.detached_from.iter().flat_map(|item| &item.keys);
        *item_id = keys.find_map(|key| holders.get(&key.hash)?.item());
    }
}

async fn holders(
    transaction: &LibraryTransaction,
    batch: &[ImportRecord],
) -> Result<HashMap<Vec<u8>, Holder>> {
    let duplicates = batch.iter().filter_map(|row| row.item.as_ref()?.duplicate_of.as_ref());
    let keys = batch.iter().flat_map(|row| row.keys.iter().chain(&row.refers_to));
    let detached = || batch.iter().flat_map(ImportRecord::detached_items);
    let of_detached = detached().map(|item| native_format::import_key(item.id));
    let keys: Vec<ItemKey> = keys.chain(duplicates).cloned().chain(of_detached).collect();
    let retired: Vec<Vec<u8>> =
        detached().flat_map(|item| item.keys.iter().map(|key| key.hash.clone())).collect();
    let key_holders = keys::holders(transaction.db(), transaction.account_id, &keys).await?;
    let mut holders: HashMap<Vec<u8>, Holder> =
        keys.iter().zip(key_holders).filter_map(|(key, holder)| Some((key.hash(), holder?))).collect();
    holders.extend(keys::holders_of_hashes(transaction.db(), transaction.account_id, &retired).await?);
    // Items that were exported from this library have the same ids in the file.
    let own: HashMap<ItemId, &ItemKey> =
        keys.iter().filter_map(|key| Some((native_format::source_item_id(key)?, key))).collect();
    let ids: Vec<ItemId> = own.keys().copied().collect();
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let existing: Vec<ItemId> = library_item::Entity::owned_by(transaction.account_id)
            .select_only()
            .column(library_item::Column::Id)
            .filter(library_item::Column::Id.is_in(ids.to_vec()))
            .into_tuple()
            .all(transaction.db())
            .await?;
        let existing = existing.into_iter().filter_map(|id| Some((own.get(&id)?.hash(), Holder::Item(id))));
        holders.extend(existing);
    }
    Ok(holders)
}

/// Adds a new item to the batch and returns its id. `None` if the storage of the account is full.
async fn create(
    transaction: &mut LibraryTransaction,
    fresh: &mut NewItems,
    new: NewItem,
    keys: &[ItemKey],
    tags: Vec<Tag>,
) -> Result<Option<ItemId>> {
    if transaction.require_capacity().is_err() {
        return Ok(None);
    }
    let NewItem { mut row, text, original, blob, completeness, duplicate_of } = new;
    row.account_id = transaction.account_id;
    if let Some(packed) = text.as_ref().filter(|_| completeness == Completeness::Partial) {
        text_request::fill_from_text(transaction, &mut row, packed).await?;
    }
    if completeness == Completeness::Partial {
        row.import_mark = Some(fingerprint::of_item(&row, &tags));
    }
    row.stored_bytes = item::own_bytes(&row)
        + text.as_ref().map_or(0, |packed| text::bytes_of(&packed.text.document))
        + original.as_ref().map_or(0, Original::bytes)
        + row.asset_size.unwrap_or(0);
    transaction.count(0, row.stored_bytes);
    if transaction.require_fit().is_err() {
        transaction.count(row.stored_bytes, 0);
        return Ok(None);
    }
    let id = row.id;
    let stamp = transaction.stamp(ObjectKind::Item, item::object(id));
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

/// Writes the new items with few statements for each table.
async fn write(transaction: &mut LibraryTransaction, fresh: &mut NewItems) -> Result<()> {
    for rows in fresh.rows.chunks(ROWS_PER_STATEMENT) {
        let rows = rows.iter().map(|row| row.clone().into_active_model().reset_all());
        library_item::Entity::insert_many(rows).exec_without_returning(transaction.db()).await?;
    }
    tags::replace(transaction, ObjectKind::Item, &fresh.tags).await?;
    for (id, returned) in &fresh.returned {
        annotations::reattach(transaction, returned, *id).await?;
    }
    let keys = fresh.keys.iter().flat_map(|(id, keys)| keys.iter().map(|key| (*id, key)));
    keys::assign_all(transaction, keys.collect()).await?;
    let mut words = HashMap::new();
    for (id, mut packed) in std::mem::take(&mut fresh.texts) {
        words.insert(id, Arc::clone(&packed.words));
        let document = Arc::clone(&packed.text.document);
        let anchors = std::mem::take(&mut packed.anchors);
        text::put(transaction, id, packed).await?;
        if fresh.returned.iter().any(|(returned, _)| *returned == id) {
            let anchors = (anchors, SearchBudget::TRANSACTION);
            highlight_anchor::reanchor_highlights(transaction, id, &document, anchors).await?;
        }
    }
    for (id, original) in &fresh.originals {
        text::put_original(transaction, *id, original).await?;
    }
    retain_blobs(transaction, fresh.blobs.clone()).await?;
    let items = item::with_tags(transaction.db(), transaction.account_id, fresh.rows.clone()).await?;
    item::index(transaction, &items, |id: ItemId| words.get(&id).cloned()).await
}

/// Parts of a row that an item lacks.
struct MissingParts {
    text: Option<PackedText>,
    original: Option<Original>,
    blob: Option<String>,
}

/// Merges a row into an item. Returns the parts of the row that the item lacks, and the problems of the row.
async fn merge_item(
    transaction: &mut LibraryTransaction,
    (row, tags): (&mut library_item::Model, &mut Vec<Tag>),
    new: NewItem,
    new_tags: &[Tag],
) -> Result<(MissingParts, Vec<RowError>)> {
    let own_bytes = item::own_bytes(row);
    let is_ours =
        new.completeness == Completeness::Partial && row.import_mark == Some(fingerprint::of_item(row, tags));
    let history = if is_ours { History::ImportsOnly } else { History::Other };
    let is_new_copy = new.row.asset_blob.is_some() && row.asset_blob.is_none();
    let problems = [item_merge::merge(row, &new.row, history), item_merge::merge_tags(tags, new_tags)];
    row.stored_bytes += item::own_bytes(row) - own_bytes;
    let lacks_text = row.content_hash.is_none();
    let original = new.original.filter(|_| lacks_text);
    row.stored_bytes += original.as_ref().map_or(0, Original::bytes);
    let text = new.text.filter(|_| lacks_text);
    if text.is_some() || original.is_some() {
        row.format = new.row.format;
    }
    if is_new_copy {
        copy_file(row, &new.row);
        if lacks_text && text.is_none() {
            text_request::request_text(row, TextOrigin::File, transaction.now);
        }
    }
    if let Some(packed) = &text {
        row.stored_bytes += text::bytes_of(&packed.text.document);
        row.ask += 1;
        text_request::fill_from_text(transaction, row, packed).await?;
    }
    if is_ours {
        row.import_mark = Some(fingerprint::of_item(row, tags));
    }
    let parts = MissingParts { text, original, blob: new.blob.filter(|_| is_new_copy) };
    Ok((parts, problems.into_iter().flatten().collect()))
}

fn copy_file(row: &mut library_item::Model, new: &library_item::Model) {
    row.asset_blob.clone_from(&new.asset_blob);
    row.asset_name.clone_from(&new.asset_name);
    row.asset_mime.clone_from(&new.asset_mime);
    row.asset_checksum.clone_from(&new.asset_checksum);
    (row.asset_size, row.asset_at) = (new.asset_size, new.asset_at);
    row.stored_bytes += new.asset_size.unwrap_or(0);
}

impl NewItems {
    /// Returns true if a new item has this id and a URL.
    fn has_url(&self, id: ItemId) -> bool {
        self.rows.iter().any(|row| row.id == id && row.url.starts_with("http"))
    }

    /// Sets `duplicate_of` of new items whose page another item already has.
    fn link_duplicates(&mut self, holders: &HashMap<Vec<u8>, Holder>) {
        for (id, of) in &self.duplicates {
            if let (Some(row), Some(Holder::Item(other))) =
                (self.rows.iter_mut().find(|row| row.id == *id), holders.get(&of.hash()))
            {
                row.duplicate_of = Some(*other).filter(|other| other != id);
            }
        }
    }

    /// Merges a row into a new item of the same batch. Returns the problems of the row.
    async fn merge(
        &mut self,
        transaction: &mut LibraryTransaction,
        at: usize,
        new: NewItem,
        keys: &[ItemKey],
        new_tags: &[Tag],
    ) -> Result<Vec<RowError>> {
        let (mut row, mut tags) = (self.rows[at].clone(), self.tags[at].1.clone());
        let id = row.id;
        let has_original = self.originals.iter().any(|(other, _)| *other == id);
        let new = NewItem { original: new.original.filter(|_| !has_original), ..new };
        let (parts, problems) = merge_item(transaction, (&mut row, &mut tags), new, new_tags).await?;
        transaction.count(self.rows[at].stored_bytes, row.stored_bytes);
        if transaction.require_fit().is_err() {
            transaction.count(row.stored_bytes, self.rows[at].stored_bytes);
            return Ok(vec![storage_is_full()]);
        }
        (self.rows[at], self.tags[at].1) = (row, tags);
        self.keys.push((id, keys.to_vec()));
        self.texts.extend(parts.text.map(|text| (id, text)));
        self.originals.extend(parts.original.map(|original| (id, original)));
        self.blobs.extend(parts.blob);
        Ok(problems)
    }
}

/// Merges a row into an existing item. Returns the problems of the row.
async fn fill(
    transaction: &mut LibraryTransaction,
    known: &mut KnownItems,
    id: ItemId,
    new: NewItem,
    keys: &[ItemKey],
    new_tags: &[Tag],
) -> Result<Vec<RowError>> {
    let Some((row, old_tags)) = known.take(transaction, id).await? else { return Ok(Vec::new()) };
    known.add_keys(id, keys);
    if new.text.is_some() && row.content_hash.is_none() {
        // A text whose final URL is a key of another item makes the item a duplicate of that item.
        known.assign_keys(transaction).await?;
    }
    let has_original = match &new.original {
        Some(_) => text::original_row(transaction.db(), transaction.account_id, id).await?.is_some(),
        None => false,
    };
    let (mut filled, mut tags) = (row.clone(), old_tags.clone());
    let new = NewItem { original: new.original.filter(|_| !has_original), ..new };
    let (parts, problems) = merge_item(transaction, (&mut filled, &mut tags), new, new_tags).await?;
    if filled == row && tags.len() == old_tags.len() && parts.original.is_none() {
        known.put_back(row, old_tags);
        return Ok(problems);
    }
    transaction.count(row.stored_bytes, filled.stored_bytes);
    if transaction.require_fit().is_err() {
        transaction.count(filled.stored_bytes, row.stored_bytes);
        return Ok(vec![storage_is_full()]);
    }
    let mark = filled.import_mark.filter(|_| filled.import_mark != row.import_mark);
    write_filled(transaction, filled, tags, parts).await?;
    if let Some(mark) = mark {
        remember_merged(transaction, known.import_id, id, mark).await?;
    }
    Ok(problems)
}

/// Writes an existing item and its missing parts, which the row supplied.
async fn write_filled(
    transaction: &mut LibraryTransaction,
    filled: library_item::Model,
    tags: Vec<Tag>,
    parts: MissingParts,
) -> Result<()> {
    let id = filled.id;
    if let Some(original) = &parts.original {
        text::put_original(transaction, id, original).await?;
    }
    retain_blobs(transaction, parts.blob.into_iter().collect()).await?;
    // The item is written before its tags, because the rows of the tags contain the save time of the item.
    let row = item::write(transaction, filled).await?;
    tags::replace(transaction, ObjectKind::Item, &[(item::object(id), tags)]).await?;
    if let Some(packed) = parts.text {
        text_request::write_with_text(transaction, row, packed).await?;
        // The item may have been saved before, and wait for its text.
        return rule_queue::release(transaction, id).await;
    }
    let items = item::with_tags(transaction.db(), transaction.account_id, vec![row]).await?;
    change::reindex(transaction, &items).await
}

/// Updates the stored fingerprint of an item that the same import created, so that undoing the import still
/// deletes the item.
async fn remember_merged(
    transaction: &LibraryTransaction,
    import_id: ImportId,
    id: ItemId,
    mark: i64,
) -> Result<()> {
    library_import_made::Entity::update_many()
        .set(library_import_made::ActiveModel { mark: Set(mark), ..Default::default() })
        .filter(library_import_made::Column::ImportId.eq(import_id))
        .filter(library_import_made::Column::ObjectId.eq(item::object(id)))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Cancels the scheduled deletion of files.
async fn retain_blobs(transaction: &LibraryTransaction, blobs: Vec<String>) -> Result<()> {
    if !blobs.is_empty() {
        library_blob::Entity::update_many()
            .set(library_blob::ActiveModel { delete_at: Set(None), ..Default::default() })
            .filter(library_blob::Column::AccountId.eq(transaction.account_id))
            .filter(library_blob::Column::Blob.is_in(blobs))
            .exec(transaction.db())
            .await?;
    }
    Ok(())
}

async fn record_created(
    transaction: &LibraryTransaction,
    import_id: ImportId,
    made: Vec<(ObjectId, ObjectKind, i64)>,
) -> Result<()> {
    for made in made.chunks(ROWS_PER_STATEMENT) {
        let rows = made.iter().map(|(object_id, kind, mark)| library_import_made::ActiveModel {
            import_id: Set(import_id),
            object_id: Set(*object_id),
            account_id: Set(transaction.account_id),
            kind: Set(*kind),
            mark: Set(*mark),
        });
        library_import_made::Entity::insert_many(rows).exec_without_returning(transaction.db()).await?;
    }
    Ok(())
}
