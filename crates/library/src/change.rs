//! Changes to items: all editable fields of one item, or the same change to many items in one transaction.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_words::{ClassificationMethod, ContentKind, ItemStatus, ObjectKind};
use sea_orm::{ConnectionTrait, Value};

use super::classify::{self, Classified, ItemFacts};
use super::draft::{self, TITLE_CHARS, cut};
use super::item::{self, Item, object};
use super::search::index::{self, IndexedObject, IndexedText};
use super::tags::{self, MAX_TAGS, Tag};
use super::transaction::LibraryTransaction;
use super::{precedence, tag_marks, text};
use kernel::error::not_found;
use kernel::statement::execute;
use kernel::{Code, Domain, Error, Millis, Result};

/// Change to the reading progress of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadProgress {
    /// Sets the percentage that was read.
    At(i16),
    /// Removes the progress.
    Cleared,
}

/// Change to the read state of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMark {
    Read,
    Unread,
}

/// Changes that can be made to one item or to many items. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default)]
pub struct ItemChanges {
    pub status: Option<ItemStatus>,
    /// Replaces all tags.
    pub tags: Option<Vec<String>>,
    /// Tags to add to the tags of an item.
    pub add_tags: Vec<String>,
    /// Tags to remove from the tags of an item.
    pub remove_tags: Vec<String>,
    pub read_progress: Option<ReadProgress>,
    pub mark_read: Option<ReadMark>,
    /// New kind. `Unknown` restores the automatic classification.
    pub content_kind: Option<ContentKind>,
}

/// Changes to one item. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default)]
pub struct ItemUpdate {
    pub changes: ItemChanges,
    pub title: Option<String>,
    /// `Some(None)` removes the author.
    pub author: Option<Option<String>>,
    /// `Some(None)` removes the date.
    pub published_at: Option<Option<String>>,
    /// JSON object that is merged into the metadata. A member with the value null is removed.
    pub metadata: Option<String>,
    /// Required version of the item.
    pub if_match: Option<IfMatch>,
}

/// Value of an `If-Match` header: `*`, or a list of `ETag`s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IfMatch(pub String);

impl IfMatch {
    /// Checks that `sequence` is one of the required versions.
    ///
    /// # Errors
    /// `precondition_failed` if the object has another version.
    pub fn check(&self, sequence: i64) -> Result<()> {
        let etag = format!("\"{sequence}\"");
        if self.0.trim() == "*" || self.0.split(',').any(|one| one.trim() == etag) {
            return Ok(());
        }
        Err(Error::new(Code::PreconditionFailed, "It was changed since the version that If-Match names."))
    }
}

/// Result of a change to many items.
#[derive(Clone, Debug)]
pub struct BulkChangeResult {
    /// Existing items, in the order of the request.
    pub items: Vec<Item>,
    /// Number of ids for which the account has no item.
    pub missing: u64,
}

impl ItemChanges {
    fn check(&self) -> Result<()> {
        if self.mark_read.is_some() && matches!(self.read_progress, Some(ReadProgress::At(_))) {
            let message = "markRead and a numeric readProgress cannot be combined.";
            return Err(Error::new(Code::ConflictingChanges, message));
        }
        if self.tags.is_some() && self.edits_tags() {
            let message = "tags cannot be combined with addTags or removeTags.";
            return Err(Error::new(Code::ConflictingChanges, message));
        }
        Ok(())
    }

    /// Returns true if tags are added or removed.
    fn edits_tags(&self) -> bool {
        !self.add_tags.is_empty() || !self.remove_tags.is_empty()
    }

    /// Returns the tags of an item after the changes. If the tags are equal, returns `old`, which preserves
    /// their spelling.
    fn tags_after(&self, old: &[Tag]) -> Result<Vec<Tag>> {
        if let Some(tags) = &self.tags {
            let new = Tag::list(tags)?;
            return Ok(if tags::are_equal(&new, old) { old.to_vec() } else { new });
        }
        let (add, remove) = (Tag::list(&self.add_tags)?, Tag::list(&self.remove_tags)?);
        let mut tags: Vec<Tag> =
            old.iter().filter(|tag| remove.iter().all(|gone| gone.key != tag.key)).cloned().collect();
        for tag in add {
            if tags.iter().all(|known| known.key != tag.key) {
                tags.push(tag);
            }
        }
        if tags.len() > MAX_TAGS {
            return Err(Error::invalid_field("add_tags", "would result in more than 12 tags"));
        }
        Ok(tags)
    }

    /// Writes the changes, except the tags, into a row.
    fn write(&self, row: &mut library_item::Model, now: i64) {
        if let Some(status) = self.status {
            row.status = status;
        }
        match self.read_progress {
            Some(ReadProgress::At(percent)) => {
                row.last_read_at = Some(now);
                (row.read_progress, row.finished_at) = (Some(percent), None);
            }
            Some(ReadProgress::Cleared) => row.read_progress = None,
            None => {}
        }
        match self.mark_read {
            Some(ReadMark::Read) => {
                (row.last_read_at, row.finished_at, row.read_progress) = (Some(now), Some(now), None);
            }
            Some(ReadMark::Unread) => {
                (row.last_read_at, row.finished_at, row.read_progress) = (None, None, None);
            }
            None => {}
        }
        match self.content_kind {
            Some(ContentKind::Unknown) => classify_row(row).write(row, now),
            Some(kind) if row.content_kind != kind || row.kind_method != ClassificationMethod::User => {
                Classified { kind, method: ClassificationMethod::User }.write(row, now);
            }
            Some(_) | None => {}
        }
    }
}

/// Classifies an item from its stored values, ignoring the kind that a person has set.
fn classify_row(row: &library_item::Model) -> Classified {
    let url = url::Url::parse(&row.url).ok().filter(url::Url::has_host);
    classify::classify(ItemFacts {
        url: url.as_ref(),
        mime: row.mime_type.as_deref(),
        file_name: row.file_name.as_deref(),
        capture: Some(row.capture_method),
        category: None,
    })
}

/// Applies the same changes to many items. Duplicate ids are ignored. There is one transaction, unless tags of long texts
/// change: their words are counted again, so that each part of at most 4 MiB of text has its own, and other accounts do not
/// wait for all of them.
///
/// # Errors
/// `conflicting_changes`, `invalid_request`; then no item was changed, unless the tags of an item were changed at the same
/// time.
#[boxed]
pub async fn change_all(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
    changes: &ItemChanges,
) -> Result<BulkChangeResult> {
    changes.check()?;
    let mut unique_ids: Vec<ItemId> = Vec::with_capacity(ids.len());
    for id in ids {
        if !unique_ids.contains(id) {
            unique_ids.push(*id);
        }
    }
    let mut parts = vec![unique_ids.clone()];
    if changes.tags.is_some() || changes.edits_tags() {
        for item in item::find_all(domain.db().read(), account_id, &unique_ids).await? {
            changes.tags_after(&tags_of(&item))?;
        }
        parts = text::parts(domain.db().read(), account_id, &unique_ids).await?;
    }
    let mut items = Vec::with_capacity(unique_ids.len());
    for part in parts {
        items.extend(change_part(domain, account_id, &part, changes).await?);
    }
    let position = |item: &Item| unique_ids.iter().position(|id| *id == item.id);
    items.sort_by_key(position);
    let missing = (unique_ids.len() - items.len()) as u64;
    Ok(BulkChangeResult { items, missing })
}

/// Applies the same changes to items in one transaction, and returns the changed items.
async fn change_part(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
    changes: &ItemChanges,
) -> Result<Vec<Item>> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let existing = item::find_all(transaction.db(), account_id, ids).await?;
    let now = transaction.updated_at;
    apply_changes(&mut transaction, &existing, changes, now).await?;
    let items = item::find_all(transaction.db(), account_id, ids).await?;
    transaction.commit().await?;
    Ok(items)
}

fn tags_of(item: &Item) -> Vec<Tag> {
    item.tags.iter().filter_map(|name| Tag::of(name)).collect()
}

/// Applies the reading state of an item on a device, which may be older than the stored one. `changed_at` is the time
/// of the state, if the device states it. Returns false if the item was read after that time, or does not exist.
///
/// # Errors
/// `conflicting_changes`, `invalid_request`.
#[boxed]
pub async fn apply_reading_state(
    domain: &Domain,
    account_id: AccountId,
    id: ItemId,
    changes: &ItemChanges,
    changed_at: Option<Millis>,
) -> Result<bool> {
    changes.check()?;
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let existing = item::find_all(transaction.db(), account_id, &[id]).await?;
    let Some(item) = existing.first() else { return Ok(false) };
    // Clocks of devices may be wrong: an item is read after it is saved, and not in the future.
    let now = transaction.updated_at;
    let read_at = changed_at.map_or(now, |at| at.max(item.saved_at).min(now));
    if changed_at.is_some() && item.last_read_at.is_some_and(|last| read_at < last) {
        return Ok(false);
    }
    apply_changes(&mut transaction, &existing, changes, read_at).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Applies the same changes to items in an open transaction, as if they were made at `at`.
async fn apply_changes(
    transaction: &mut LibraryTransaction,
    items: &[Item],
    changes: &ItemChanges,
    at: Millis,
) -> Result<()> {
    change_items(transaction, items, |item, old_tags| {
        let mut row = item.row.clone();
        changes.write(&mut row, at);
        Ok((row, changes.tags_after(old_tags)?))
    })
    .await
}

/// Changes items in an open transaction. `changed` returns the new row and the new tags of an item. The row may differ
/// only in columns that [`ItemChanges`] can change.
pub(crate) async fn change_items(
    transaction: &mut LibraryTransaction,
    items: &[Item],
    changed: impl Fn(&Item, &[Tag]) -> Result<(library_item::Model, Vec<Tag>)> + Send,
) -> Result<()> {
    let (mut rows, mut retagged, mut untagged) = (Vec::new(), Vec::new(), Vec::new());
    for item in items {
        let old_tags = tags_of(item);
        let (mut row, new_tags) = changed(item, &old_tags)?;
        let new_tags = Some(new_tags).filter(|tags| !tags::are_equal(tags, &old_tags));
        if row != item.row || new_tags.is_some() {
            let stamp = transaction.stamp(ObjectKind::Item, object(row.id));
            (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
            rows.push(row);
        }
        if new_tags.as_ref().is_some_and(|new_tags| tags::lacks_any(new_tags, &old_tags)) {
            untagged.push(object(item.id));
        }
        retagged.extend(new_tags.map(|tags| (object(item.id), tags)));
    }
    write_rows(transaction, &rows).await?;
    if retagged.is_empty() {
        return Ok(());
    }
    tags::replace(transaction, ObjectKind::Item, &retagged).await?;
    tag_marks::note_removals(transaction, &untagged).await?;
    let ids: Vec<ItemId> = retagged.iter().map(|(id, _)| id.as_uuid().into()).collect();
    let reindexed = item::find_all(transaction.db(), transaction.account_id, &ids).await?;
    reindex(transaction, &reindexed).await
}

/// Rewrites the index rows of items whose title, tags, author, or domain changed.
pub(crate) async fn reindex(transaction: &LibraryTransaction, items: &[Item]) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    let ids: Vec<ItemId> = items.iter().map(|item| item.id).collect();
    for part in text::parts(transaction.db(), transaction.account_id, &ids).await? {
        let part: Vec<Item> = items.iter().filter(|item| part.contains(&item.id)).cloned().collect();
        index::write(transaction, indexed_objects(transaction.db(), transaction.account_id, &part).await?)
            .await?;
    }
    Ok(())
}

/// Converts items to the objects that the search index receives. Loads all texts with one query.
pub(crate) async fn indexed_objects(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    items: &[Item],
) -> Result<Vec<IndexedObject>> {
    let ids: Vec<ItemId> = items.iter().map(|item| item.id).collect();
    let texts = text::load_all(connection, account_id, &ids).await?;
    let text_of = |id: ItemId| {
        let text = texts.iter().find(|text| text.item_id == id);
        IndexedText::Text(text.map(|text| extract::render::text(&text.document.blocks)).unwrap_or_default())
    };
    Ok(items.iter().map(|item| item::indexed_object(item, text_of(item.id))).collect())
}

/// Writes the columns that [`ItemChanges`] can change, for any number of rows with one statement.
async fn write_rows(transaction: &LibraryTransaction, rows: &[library_item::Model]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let types =
        ["uuid", "bigint", "text", "bigint", "bigint", "smallint", "text", "text", "smallint", "bigint"];
    let is_sqlite = transaction.db().get_database_backend() != sea_orm::DbBackend::Postgres;
    let mut values: Vec<Value> = vec![transaction.account_id.into(), transaction.updated_at.into()];
    let mut lines = Vec::with_capacity(rows.len());
    for row in rows {
        let cell = |(offset, kind): (usize, &&str)| {
            let index = values.len() + 1 + offset;
            if is_sqlite { format!("${index}") } else { format!("CAST(${index} AS {kind})") }
        };
        let cells: Vec<String> = types.iter().enumerate().map(cell).collect();
        lines.push(format!("({})", cells.join(", ")));
        values.extend([
            row.id.into(),
            row.sequence.into(),
            row.status.as_str().into(),
            row.last_read_at.into(),
            row.finished_at.into(),
            row.read_progress.into(),
            row.content_kind.as_str().into(),
            row.kind_method.as_str().into(),
            row.kind_confidence.into(),
            row.kind_at.into(),
        ]);
    }
    let sql = format!(
        "WITH v (id, sequence, status, last_read_at, finished_at, read_progress, content_kind, kind_method, \
         kind_confidence, kind_at) AS (VALUES {}) \
         UPDATE library_item SET updated_at = $2, sequence = v.sequence, status = v.status, \
         last_read_at = v.last_read_at, finished_at = v.finished_at, read_progress = v.read_progress, \
         content_kind = v.content_kind, kind_method = v.kind_method, kind_confidence = v.kind_confidence, \
         kind_at = v.kind_at FROM v WHERE library_item.id = v.id AND library_item.account_id = $1",
        lines.join(", ")
    );
    execute(transaction.db(), &sql, values).await?;
    Ok(())
}

/// Changes one item.
///
/// # Errors
/// `not_found`, `precondition_failed`, `conflicting_changes`, `invalid_request`, `storage_limit_reached`.
#[boxed]
pub async fn update(domain: &Domain, account_id: AccountId, id: ItemId, update: ItemUpdate) -> Result<Item> {
    update.changes.check()?;
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let row = item::row(transaction.db(), account_id, id).await?.ok_or_else(|| not_found("item"))?;
    if let Some(versions) = &update.if_match {
        versions.check(row.sequence)?;
    }
    let old_tags = tags::current(transaction.db(), account_id, object(id)).await?;
    let new_tags = update.changes.tags_after(&old_tags)?;
    let mut new = row.clone();
    update.changes.write(&mut new, transaction.updated_at);
    write_values(&mut new, &update)?;
    new.stored_bytes += item::own_bytes(&new) - item::own_bytes(&row);
    let is_retagged = new_tags != old_tags;
    if new != row || is_retagged {
        transaction.count(row.stored_bytes, new.stored_bytes);
        transaction.require_fit()?;
        let is_renamed = new.title != row.title || new.author != row.author;
        item::write(&mut transaction, new).await?;
        if is_retagged {
            let lacks_tags = tags::lacks_any(&new_tags, &old_tags);
            tags::replace(&transaction, ObjectKind::Item, &[(object(id), new_tags)]).await?;
            if lacks_tags {
                tag_marks::note_removals(&transaction, &[object(id)]).await?;
            }
        }
        if is_retagged || is_renamed {
            let item = item::find(transaction.db(), account_id, id).await?;
            reindex(&transaction, &[item]).await?;
        }
    }
    let item = item::find(transaction.db(), account_id, id).await?;
    transaction.commit().await?;
    Ok(item)
}

fn write_values(row: &mut library_item::Model, update: &ItemUpdate) -> Result<()> {
    if let Some(title) = draft::title(update.title.clone()) {
        precedence::replace(
            &mut row.title,
            &mut row.title_rank,
            cut(&title, TITLE_CHARS),
            precedence::PERSON,
        );
    }
    if let Some(author) = &update.author {
        precedence::replace(
            &mut row.author,
            &mut row.author_rank,
            draft::line(author.clone()),
            precedence::PERSON,
        );
    }
    if let Some(time) = &update.published_at {
        let time = time.as_deref().and_then(draft::published_at);
        precedence::replace(&mut row.published_at, &mut row.published_rank, time, precedence::PERSON);
    }
    if let Some(changes) = &update.metadata {
        let mut metadata = row.metadata.as_deref().map(draft::metadata).transpose()?.unwrap_or_default();
        for (name, value) in draft::metadata(changes)? {
            if value.is_null() {
                metadata.shift_remove(&name);
            } else {
                metadata.insert(name, value);
            }
        }
        let text = serde_json::Value::Object(metadata).to_string();
        draft::metadata(&text)?;
        row.metadata = (text != "{}").then_some(text);
    }
    Ok(())
}
