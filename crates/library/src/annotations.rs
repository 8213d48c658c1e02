//! Rules that notes and highlights share: they are detached when their item is deleted, and reattached when
//! an item with the same key is saved or imported, or when an existing item receives the key.

use entities::ids::{HighlightId, ItemId, ObjectId};
use entities::library_words::{AnchorStatus, KeyKind, ObjectKind};
use entities::{library_highlight, library_item, library_note};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::computed_anchors::ComputedAnchors;
use super::keys::{self, Holder, ItemKey, RetiredKey};
use super::quote_match::SearchBudget;
use super::search::index;
use super::transaction::LibraryTransaction;
use super::{highlight_anchor, public_highlights, tags, text};
use kernel::Result;

/// Effect of the deletion of an item on its notes and highlights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Annotations {
    /// Detaches the notes and highlights from the item.
    #[default]
    Keep,
    Delete,
}

/// Assigns keys to existing items, as [`keys::assign_all`] does. The notes and highlights of deleted items are attached
/// to the items that receive their URLs, and the highlights are anchored.
pub(crate) async fn assign_keys(
    transaction: &mut LibraryTransaction,
    keys: Vec<(ItemId, &ItemKey)>,
) -> Result<()> {
    let returned = assign_keys_without_anchoring(transaction, keys).await?;
    anchor_returned(transaction, &returned).await
}

/// Like [`assign_keys`], but does not anchor the highlights. Returns the items to which highlights were attached.
pub(crate) async fn assign_keys_without_anchoring(
    transaction: &mut LibraryTransaction,
    keys: Vec<(ItemId, &ItemKey)>,
) -> Result<Vec<ItemId>> {
    let urls = keys.iter().filter(|(_, key)| key.kind == KeyKind::Url);
    let (ids, urls): (Vec<ItemId>, Vec<ItemKey>) = urls.map(|(id, key)| (*id, (*key).clone())).unzip();
    let holders = keys::holders(transaction.db(), transaction.account_id, &urls).await?;
    let mut returned = Vec::new();
    for ((id, url), holder) in ids.into_iter().zip(urls).zip(holders) {
        let Some(Holder::Deleted(_)) = holder else { continue };
        if reattach(transaction, &[url], id).await? && !returned.contains(&id) {
            returned.push(id);
        }
    }
    keys::assign_all(transaction, keys).await?;
    Ok(returned)
}

/// Anchors the highlights that were attached to existing items in the texts of the items.
pub(crate) async fn anchor_returned(transaction: &mut LibraryTransaction, ids: &[ItemId]) -> Result<()> {
    let mut budget = SearchBudget::IMPORT;
    for id in ids {
        let stored = text::load(transaction.db(), transaction.account_id, *id).await?;
        let Some(stored) = stored else { continue };
        let anchors = (ComputedAnchors::default(), budget);
        budget = highlight_anchor::reanchor_highlights(transaction, *id, &stored.document, anchors).await?;
    }
    Ok(())
}

/// Attaches the notes and highlights of deleted items to an item that has or receives one of their keys. The caller
/// anchors the highlights. Returns true if there are any.
pub(crate) async fn reattach(
    transaction: &mut LibraryTransaction,
    keys: &[ItemKey],
    item_id: ItemId,
) -> Result<bool> {
    let deleted_id = |holder: Option<Holder>| match holder {
        Some(Holder::Deleted(id)) => Some(id),
        Some(Holder::Item(_)) | None => None,
    };
    let holders = keys::holders(transaction.db(), transaction.account_id, keys).await?;
    let deleted_ids: Vec<ItemId> = holders.into_iter().filter_map(deleted_id).collect();
    if deleted_ids.is_empty() {
        return Ok(false);
    }
    let notes = library_note::Entity::owned_by(transaction.account_id)
        .filter(library_note::Column::DetachedFrom.is_in(deleted_ids.clone()))
        .all(transaction.db())
        .await?;
    for note in notes {
        let stamp = transaction.stamp(ObjectKind::Note, ObjectId::from(note.id.as_uuid()));
        let change = library_note::ActiveModel {
            id: Set(note.id),
            item_id: Set(Some(item_id)),
            detached_from: Set(None),
            sequence: Set(stamp.sequence),
            updated_at: Set(stamp.updated_at),
            ..Default::default()
        };
        change.update(transaction.db()).await?;
    }
    let highlights = library_highlight::Entity::owned_by(transaction.account_id)
        .filter(library_highlight::Column::DetachedFrom.is_in(deleted_ids))
        .all(transaction.db())
        .await?;
    let has_highlights = !highlights.is_empty();
    for highlight in highlights {
        let stamp = transaction.stamp(ObjectKind::Highlight, ObjectId::from(highlight.id.as_uuid()));
        let change = library_highlight::ActiveModel {
            id: Set(highlight.id),
            item_id: Set(Some(item_id)),
            detached_from: Set(None),
            item_title: Set(None),
            source_url: Set(None),
            sequence: Set(stamp.sequence),
            updated_at: Set(stamp.updated_at),
            ..Default::default()
        };
        change.update(transaction.db()).await?;
    }
    Ok(has_highlights)
}

/// Detaches or deletes the notes and highlights of items that are about to be deleted.
pub(crate) async fn detach_or_delete(
    transaction: &mut LibraryTransaction,
    items: &[library_item::Model],
    annotations: Annotations,
) -> Result<()> {
    let ids: Vec<ItemId> = items.iter().map(|item| item.id).collect();
    let notes = library_note::Entity::owned_by(transaction.account_id)
        .filter(library_note::Column::ItemId.is_in(ids.clone()))
        .all(transaction.db())
        .await?;
    let highlights = library_highlight::Entity::owned_by(transaction.account_id)
        .filter(library_highlight::Column::ItemId.is_in(ids))
        .all(transaction.db())
        .await?;
    match annotations {
        Annotations::Keep => {
            for note in notes {
                detach_note(transaction, note).await?;
            }
            let detached: Vec<HighlightId> = highlights.iter().map(|highlight| highlight.id).collect();
            public_highlights::unpublish_all(transaction.db(), transaction.account_id, &detached).await?;
            for highlight in highlights {
                let item = items.iter().find(|item| Some(item.id) == highlight.item_id);
                detach_highlight(transaction, highlight, item).await?;
            }
        }
        Annotations::Delete => {
            delete_for_owner(transaction, &notes, &highlights).await?;
        }
    }
    Ok(())
}

async fn detach_note(transaction: &mut LibraryTransaction, note: library_note::Model) -> Result<()> {
    let stamp = transaction.stamp(ObjectKind::Note, ObjectId::from(note.id.as_uuid()));
    let change = library_note::ActiveModel {
        id: Set(note.id),
        item_id: Set(None),
        detached_from: Set(note.item_id),
        sequence: Set(stamp.sequence),
        updated_at: Set(stamp.updated_at),
        ..Default::default()
    };
    change.update(transaction.db()).await?;
    Ok(())
}

async fn detach_highlight(
    transaction: &mut LibraryTransaction,
    highlight: library_highlight::Model,
    item: Option<&library_item::Model>,
) -> Result<()> {
    let stamp = transaction.stamp(ObjectKind::Highlight, ObjectId::from(highlight.id.as_uuid()));
    let change = library_highlight::ActiveModel {
        id: Set(highlight.id),
        item_id: Set(None),
        detached_from: Set(highlight.item_id),
        item_title: Set(item.map(|item| item.title.clone())),
        source_url: Set(item.map(|item| item.url.clone()).filter(|url| url.starts_with("http"))),
        anchor: Set(None),
        end_anchor: Set(None),
        start_offset: Set(None),
        end_offset: Set(None),
        page: Set(None),
        anchor_status: Set(AnchorStatus::Orphaned),
        sequence: Set(stamp.sequence),
        updated_at: Set(stamp.updated_at),
        ..Default::default()
    };
    change.update(transaction.db()).await?;
    Ok(())
}

/// Returns the key under which the deletion of a note or highlight by its owner is recorded.
pub(crate) fn deletion_key(id: Uuid) -> ItemKey {
    ItemKey::import(&format!("annotation:{id}"))
}

/// Deletes notes and highlights at the request of their owner. Imports skip them for as long as the keys of deleted
/// items are retained.
pub(crate) async fn delete_for_owner(
    transaction: &mut LibraryTransaction,
    notes: &[library_note::Model],
    highlights: &[library_highlight::Model],
) -> Result<()> {
    let note_ids = notes.iter().map(|note| note.id.as_uuid());
    let ids = note_ids.chain(highlights.iter().map(|highlight| highlight.id.as_uuid()));
    let key = |id: Uuid| (ItemId::from(id), RetiredKey::of(&deletion_key(id)));
    let keys: Vec<(ItemId, RetiredKey)> = ids.map(key).collect();
    keys::assign_to_deleted(transaction, &keys).await?;
    delete_notes(transaction, notes).await?;
    delete_highlights(transaction, highlights).await
}

/// Deletes notes with their tags and index rows.
pub(crate) async fn delete_notes(
    transaction: &mut LibraryTransaction,
    notes: &[library_note::Model],
) -> Result<()> {
    let ids: Vec<ObjectId> = notes.iter().map(|note| ObjectId::from(note.id.as_uuid())).collect();
    for note in notes {
        transaction.tombstone(ObjectKind::Note, ObjectId::from(note.id.as_uuid()));
        transaction.count(note.stored_bytes, 0);
        library_note::Entity::delete_by_id(note.id).exec(transaction.db()).await?;
    }
    remove_tags_and_index(transaction, &ids).await
}

/// Deletes highlights with their tags and index rows.
pub(crate) async fn delete_highlights(
    transaction: &mut LibraryTransaction,
    highlights: &[library_highlight::Model],
) -> Result<()> {
    let ids: Vec<ObjectId> = highlights.iter().map(|one| ObjectId::from(one.id.as_uuid())).collect();
    for highlight in highlights {
        transaction.tombstone(ObjectKind::Highlight, ObjectId::from(highlight.id.as_uuid()));
        transaction.count(highlight.stored_bytes, 0);
        library_highlight::Entity::delete_by_id(highlight.id).exec(transaction.db()).await?;
    }
    remove_tags_and_index(transaction, &ids).await
}

/// Removes the tags and index rows of deleted objects.
pub(crate) async fn remove_tags_and_index(transaction: &LibraryTransaction, ids: &[ObjectId]) -> Result<()> {
    tags::remove(transaction, ids).await?;
    index::remove(transaction, ids).await
}
