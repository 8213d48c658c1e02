//! Reads and writes items of a library with their tags and index rows.

use std::ops::Deref;
use std::sync::Arc;

use entities::ids::{AccountId, HighlightId, ItemId, ObjectId};
use entities::library_words::{
    ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, ItemFormat, ItemStatus, Lane,
    ObjectKind, ReviewFrequency,
};
use entities::{library_highlight, library_item};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel,
    QueryFilter, QuerySelect,
};

use super::precedence;
use super::search::index::{self, IndexedObject, IndexedText};
use super::tags;
use super::transaction::{LibraryTransaction, OBJECT_BYTES};
use kernel::error::not_found;
use kernel::search::words::TextWords;
use kernel::{Millis, Result};

/// SQL condition for imported items `i`, including items that a person has opened since.
pub const IS_IMPORTED: &str = "(i.lane = 'import' OR i.import_mark IS NOT NULL)";

/// Item with its tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub row: library_item::Model,
    /// Tags in the account's spelling.
    pub tags: Vec<String>,
}

impl Deref for Item {
    type Target = library_item::Model;

    fn deref(&self) -> &library_item::Model {
        &self.row
    }
}

/// Converts the id of an item to the id of a library object.
pub(crate) fn object(id: ItemId) -> ObjectId {
    ObjectId::from(id.as_uuid())
}

/// Creates the row of a new item with default values.
pub(crate) fn blank(id: ItemId, account_id: AccountId, now: Millis) -> library_item::Model {
    library_item::Model {
        id,
        account_id,
        sequence: 0,
        url: format!("urn:uuid:{id}"),
        original_url: None,
        domain: "upload".to_owned(),
        title: String::new(),
        title_rank: precedence::NONE,
        author: None,
        author_rank: precedence::NONE,
        published_at: None,
        published_rank: precedence::NONE,
        content_kind: ContentKind::Unknown,
        kind_method: ClassificationMethod::Fallback,
        kind_confidence: 0,
        kind_at: now,
        capture_method: CaptureMethod::Api,
        format: ItemFormat::Unknown,
        mime_type: None,
        file_name: None,
        external_id: None,
        metadata: None,
        status: ItemStatus::Inbox,
        saved_at: now,
        updated_at: now,
        last_read_at: None,
        finished_at: None,
        read_progress: None,
        article_status: ArticleStatus::NotApplicable,
        article_error: None,
        quality_status: None,
        extraction_source: None,
        content_hash: None,
        duplicate_of: None,
        asset_blob: None,
        asset_name: None,
        asset_mime: None,
        asset_size: None,
        asset_checksum: None,
        asset_at: None,
        stored_bytes: 0,
        lane: Lane::Person,
        next_try_at: None,
        tries: 0,
        ask: 0,
        ask_from: None,
        render: None,
        failed_at: None,
        refreshed_at: None,
        import_mark: None,
        review_frequency: ReviewFrequency::Normal,
    }
}

/// Adds the tags of items to their rows. Preserves the order of `rows`.
pub(crate) async fn with_tags(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    rows: Vec<library_item::Model>,
) -> Result<Vec<Item>> {
    let ids: Vec<ObjectId> = rows.iter().map(|row| object(row.id)).collect();
    let mut tags = tags::of_objects(connection, account_id, &ids).await?;
    let with =
        |row: library_item::Model| Item { tags: tags.remove(&object(row.id)).unwrap_or_default(), row };
    Ok(rows.into_iter().map(with).collect())
}

pub(crate) async fn row(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: ItemId,
) -> Result<Option<library_item::Model>> {
    Ok(library_item::Entity::owned_by(account_id)
        .filter(library_item::Column::Id.eq(id))
        .one(connection)
        .await?)
}

pub(crate) async fn find(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: ItemId,
) -> Result<Item> {
    let row = row(connection, account_id, id).await?.ok_or_else(|| not_found("item"))?;
    let mut items = with_tags(connection, account_id, vec![row]).await?;
    items.pop().ok_or_else(|| not_found("item"))
}

/// Returns the account's items with these ids, in no particular order.
pub(crate) async fn find_all(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<Vec<Item>> {
    let rows = library_item::Entity::owned_by(account_id)
        .filter(library_item::Column::Id.is_in(ids.to_vec()))
        .all(connection)
        .await?;
    with_tags(connection, account_id, rows).await
}

/// Writes a changed row and records the change in the log.
pub(crate) async fn write(
    transaction: &mut LibraryTransaction,
    mut row: library_item::Model,
) -> Result<library_item::Model> {
    let stamp = transaction.stamp(ObjectKind::Item, object(row.id));
    (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
    let named: Option<(String, String)> = library_item::Entity::owned_by(transaction.account_id)
        .select_only()
        .columns([library_item::Column::Title, library_item::Column::Url])
        .filter(library_item::Column::Id.eq(row.id))
        .into_tuple()
        .one(transaction.db())
        .await?;
    if named.is_some_and(|named| named != (row.title.clone(), row.url.clone())) {
        stamp_highlights(transaction, row.id).await?;
    }
    write_silently(transaction, row).await
}

/// Records a change to each highlight of an item, because highlights include the title and URL of the item.
async fn stamp_highlights(transaction: &mut LibraryTransaction, id: ItemId) -> Result<()> {
    use library_highlight::Column;
    let ids: Vec<HighlightId> = library_highlight::Entity::owned_by(transaction.account_id)
        .select_only()
        .column(Column::Id)
        .filter(Column::ItemId.eq(id))
        .into_tuple()
        .all(transaction.db())
        .await?;
    for id in ids {
        let stamp = transaction.stamp(ObjectKind::Highlight, ObjectId::from(id.as_uuid()));
        let change = library_highlight::ActiveModel {
            sequence: Set(stamp.sequence),
            updated_at: Set(stamp.updated_at),
            ..Default::default()
        };
        library_highlight::Entity::update_many()
            .set(change)
            .filter(Column::Id.eq(id))
            .exec(transaction.db())
            .await?;
    }
    Ok(())
}

/// Writes a row without recording a change. Used for columns that clients do not see.
pub(crate) async fn write_silently(
    transaction: &LibraryTransaction,
    row: library_item::Model,
) -> Result<library_item::Model> {
    Ok(row.into_active_model().reset_all().update(transaction.db()).await?)
}

/// Returns the bytes of an item that count towards the storage quota, without its text, supplied content, and
/// file.
pub(crate) fn own_bytes(row: &library_item::Model) -> i64 {
    let metadata = row.metadata.as_deref().map_or(0, str::len);
    OBJECT_BYTES + i64::try_from(metadata).unwrap_or(i64::MAX)
}

/// Converts an item to the object that the search index receives.
pub(crate) fn indexed_object(item: &Item, text: IndexedText) -> IndexedObject {
    let names = format!("{}\n{}", item.author.as_deref().unwrap_or_default(), item.domain);
    IndexedObject {
        id: object(item.id),
        kind: ObjectKind::Item,
        title: item.title.clone(),
        tags: item.tags.clone(),
        names,
        text,
    }
}

/// Writes items to the search index. `words` returns the counted words of an item's text.
pub(crate) async fn index(
    transaction: &LibraryTransaction,
    items: &[Item],
    words: impl Fn(ItemId) -> Option<Arc<TextWords>>,
) -> Result<()> {
    let text = |id| IndexedText::Counted(words(id).unwrap_or_default());
    let all = items.iter().map(|item| indexed_object(item, text(item.id))).collect();
    index::write(transaction, all).await
}

/// Computes the index rows of an item with this text, in the library with this number.
#[cfg(feature = "testing")]
pub fn index_rows(number: i64, item: &Item, text: String) -> Vec<index::IndexRow> {
    index::index_rows(number, &indexed_object(item, IndexedText::Text(text)))
}
