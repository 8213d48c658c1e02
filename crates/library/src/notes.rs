//! Notes: texts that a person writes, with or without reference to an item.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, NoteId, ObjectId};
use entities::library_note;
use entities::library_words::ObjectKind;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};

use super::change::IfMatch;
use super::draft::{external_id, line, plain};
use super::search::index::{self, IndexedObject, IndexedText};
use super::tags::{self, Tag};
use super::transaction::{LibraryTransaction, OBJECT_BYTES};
use super::{annotations, item};
use kernel::error::not_found;
use kernel::{Domain, Error, Result};

/// Note with its tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub row: library_note::Model,
    /// Tags in the account's spelling.
    pub tags: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct NewNote {
    pub title: Option<String>,
    pub text: String,
    /// Item that the note is about.
    pub item_id: Option<ItemId>,
    pub tags: Vec<String>,
    /// Id that the client assigned to the note. A second note with the same id is not created.
    pub external_id: Option<String>,
}

/// Changes to a note. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default)]
pub struct NoteUpdate {
    /// `Some(None)` removes the title.
    pub title: Option<Option<String>>,
    pub text: Option<String>,
    /// `Some(None)` detaches the note from its item.
    pub item_id: Option<Option<ItemId>>,
    /// Replaces all tags.
    pub tags: Option<Vec<String>>,
    /// Required version of the note.
    pub if_match: Option<IfMatch>,
}

fn object(id: NoteId) -> ObjectId {
    ObjectId::from(id.as_uuid())
}

fn text_of(text: &str) -> Result<String> {
    let text = plain(text);
    if text.trim().is_empty() {
        return Err(Error::invalid_field("text", "must not be blank"));
    }
    Ok(text)
}

/// Checks that the account has the item.
pub(crate) async fn require_item(transaction: &LibraryTransaction, id: ItemId) -> Result<()> {
    match item::row(transaction.db(), transaction.account_id, id).await? {
        Some(_) => Ok(()),
        None => Err(not_found("item")),
    }
}

/// Creates a note, or returns the existing note with the same client id. The flag is true if the note
/// existed.
///
/// # Errors
/// `not_found` if the item does not exist, `storage_limit_reached`, `invalid_request`.
#[boxed]
pub async fn create_note(domain: &Domain, account_id: AccountId, new: NewNote) -> Result<(Note, bool)> {
    let external_id = external_id(new.external_id)?;
    let (tags, text) = (Tag::list(&new.tags)?, text_of(&new.text)?);
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    if let Some(external_id) = &external_id {
        let known = library_note::Entity::owned_by(account_id)
            .filter(library_note::Column::ExternalId.eq(external_id))
            .one(transaction.db())
            .await?;
        if let Some(row) = known {
            return Ok((with_tags(transaction.db(), row).await?, true));
        }
    }
    if let Some(item_id) = new.item_id {
        require_item(&transaction, item_id).await?;
    }
    transaction.require_capacity()?;
    let id: NoteId = domain.new_id();
    let stamp = transaction.stamp(ObjectKind::Note, object(id));
    let mut row = library_note::Model {
        id,
        account_id,
        sequence: stamp.sequence,
        item_id: new.item_id,
        detached_from: None,
        title: line(new.title),
        text,
        external_id,
        stored_bytes: 0,
        created_at: transaction.now,
        updated_at: stamp.updated_at,
    };
    row.stored_bytes = bytes_of(&row);
    transaction.count(0, row.stored_bytes);
    transaction.require_fit()?;
    let insert = row.clone().into_active_model().reset_all();
    library_note::Entity::insert(insert).exec_without_returning(transaction.db()).await?;
    let note = finish(&transaction, row, Some(tags)).await?;
    transaction.commit().await?;
    Ok((note, false))
}

/// Returns the bytes of a note that count towards the storage quota.
pub(crate) fn bytes_of(row: &library_note::Model) -> i64 {
    let own = row.text.len() + row.title.as_deref().map_or(0, str::len);
    OBJECT_BYTES + i64::try_from(own).unwrap_or(i64::MAX)
}

/// Writes the tags, unless `tags` is `None`, and the index rows of a note.
async fn finish(
    transaction: &LibraryTransaction,
    row: library_note::Model,
    tags: Option<Vec<Tag>>,
) -> Result<Note> {
    if let Some(tags) = tags {
        tags::replace(transaction, ObjectKind::Note, &[(object(row.id), tags)]).await?;
    }
    let note = with_tags(transaction.db(), row).await?;
    index::write(transaction, vec![indexed_object(&note)]).await?;
    Ok(note)
}

fn indexed_object(note: &Note) -> IndexedObject {
    IndexedObject {
        id: object(note.row.id),
        kind: ObjectKind::Note,
        title: note.row.title.clone().unwrap_or_default(),
        tags: note.tags.clone(),
        names: String::new(),
        text: IndexedText::Text(note.row.text.clone()),
    }
}

/// Rewrites the index rows of notes whose tags changed.
pub(crate) async fn reindex(transaction: &LibraryTransaction, ids: &[NoteId]) -> Result<()> {
    for chunk in ids.chunks(500) {
        index::write(transaction, indexed_objects(transaction.db(), transaction.account_id, chunk).await?)
            .await?;
    }
    Ok(())
}

/// Loads the account's notes with these ids as objects that the search index receives.
pub(crate) async fn indexed_objects(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[NoteId],
) -> Result<Vec<IndexedObject>> {
    let filter = library_note::Column::Id.is_in(ids.to_vec());
    let rows = library_note::Entity::owned_by(account_id).filter(filter).all(connection).await?;
    let notes = all_with_tags(connection, account_id, rows).await?;
    Ok(notes.iter().map(indexed_object).collect())
}

async fn with_tags(connection: &impl ConnectionTrait, row: library_note::Model) -> Result<Note> {
    let id = object(row.id);
    let tags = tags::of_objects(connection, row.account_id, &[id]).await?.remove(&id).unwrap_or_default();
    Ok(Note { row, tags })
}

/// Adds the tags of notes to their rows. Preserves the order of `rows`.
pub(crate) async fn all_with_tags(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    rows: Vec<library_note::Model>,
) -> Result<Vec<Note>> {
    let ids: Vec<ObjectId> = rows.iter().map(|row| object(row.id)).collect();
    let mut tags = tags::of_objects(connection, account_id, &ids).await?;
    let with =
        |row: library_note::Model| Note { tags: tags.remove(&object(row.id)).unwrap_or_default(), row };
    Ok(rows.into_iter().map(with).collect())
}

async fn row_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: NoteId,
) -> Result<library_note::Model> {
    let query = library_note::Entity::owned_by(account_id).filter(library_note::Column::Id.eq(id));
    query.one(connection).await?.ok_or_else(|| not_found("note"))
}

#[boxed]
pub async fn get_note(domain: &Domain, account_id: AccountId, id: NoteId) -> Result<Note> {
    let connection = domain.db().read();
    with_tags(connection, row_of(connection, account_id, id).await?).await
}

/// Changes a note.
///
/// # Errors
/// `not_found` if the note or the item does not exist, `precondition_failed`, `storage_limit_reached`,
/// `invalid_request`.
#[boxed]
pub async fn update_note(
    domain: &Domain,
    account_id: AccountId,
    id: NoteId,
    update: NoteUpdate,
) -> Result<Note> {
    let tags = update.tags.as_deref().map(Tag::list).transpose()?;
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let row = row_of(transaction.db(), account_id, id).await?;
    if let Some(versions) = &update.if_match {
        versions.check(row.sequence)?;
    }
    let mut new = row.clone();
    if let Some(title) = update.title {
        new.title = line(title);
    }
    if let Some(text) = update.text {
        new.text = text_of(&text)?;
    }
    if let Some(item_id) = update.item_id {
        if let Some(item_id) = item_id {
            require_item(&transaction, item_id).await?;
        }
        (new.item_id, new.detached_from) = (item_id, None);
    }
    let old_tags = tags::current(transaction.db(), account_id, object(id)).await?;
    let new_tags = tags.filter(|tags| !tags::are_equal(tags, &old_tags));
    if new == row && new_tags.is_none() {
        return with_tags(transaction.db(), row).await;
    }
    new.stored_bytes = bytes_of(&new);
    transaction.count(row.stored_bytes, new.stored_bytes);
    transaction.require_fit()?;
    let stamp = transaction.stamp(ObjectKind::Note, object(id));
    (new.sequence, new.updated_at) = (stamp.sequence, stamp.updated_at);
    new.clone().into_active_model().reset_all().update(transaction.db()).await?;
    let note = finish(&transaction, new, new_tags).await?;
    transaction.commit().await?;
    Ok(note)
}

/// Deletes a note. `if_match` is its required version.
///
/// # Errors
/// `not_found` if the note does not exist, `precondition_failed`.
#[boxed]
pub async fn delete_note(
    domain: &Domain,
    account_id: AccountId,
    id: NoteId,
    if_match: Option<IfMatch>,
) -> Result<()> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let row = row_of(transaction.db(), account_id, id).await?;
    if let Some(versions) = &if_match {
        versions.check(row.sequence)?;
    }
    annotations::delete_for_owner(&mut transaction, &[row], &[]).await?;
    transaction.commit().await
}
