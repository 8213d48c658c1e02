//! Reads a library page by page, in the order in which its objects were created.

use std::collections::{BTreeMap, HashMap, HashSet};

use data_encoding::HEXLOWER;
use entities::ids::{AccountId, HighlightId, ItemId, NoteId, ObjectId};
use entities::library_words::KeyKind;
use entities::{library_highlight, library_item, library_key, library_note};
use sea_orm::{ColumnTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};

use super::bookmarks;
use super::line::{DetachedLine, HighlightLine, ItemAttachments, ItemLine, NoteLine, RetiredKeyLine};
use crate::highlights::{self, Highlight};
use crate::{tags, text};
use kernel::{Domain, Result};

/// Maximum number of objects per page.
pub(super) const PAGE: usize = 50;
/// Maximum number of items per query that reads folders.
const FOLDER_PAGE: u64 = 500;

/// Counts the objects of a library.
pub(super) async fn count(domain: &Domain, account_id: AccountId) -> Result<i64> {
    let db = domain.db().read();
    let items = library_item::Entity::owned_by(account_id).count(db).await?;
    let notes = library_note::Entity::owned_by(account_id).count(db).await?;
    let highlights = library_highlight::Entity::owned_by(account_id).count(db).await?;
    Ok(i64::try_from(items + notes + highlights).unwrap_or(i64::MAX))
}

/// Returns a page of items after `after`.
pub(super) async fn items(
    domain: &Domain,
    account_id: AccountId,
    after: Option<ItemId>,
) -> Result<Vec<library_item::Model>> {
    let mut page =
        library_item::Entity::owned_by(account_id).order_by_asc(library_item::Column::Id).limit(PAGE as u64);
    if let Some(after) = after {
        page = page.filter(library_item::Column::Id.gt(after));
    }
    Ok(page.all(domain.db().read()).await?)
}

/// Returns the items with these ids, ordered by id. Deleted items are omitted.
pub(super) async fn items_of(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<Vec<library_item::Model>> {
    let rows = library_item::Entity::owned_by(account_id)
        .filter(library_item::Column::Id.is_in(ids.iter().copied()))
        .order_by_asc(library_item::Column::Id);
    Ok(rows.all(domain.db().read()).await?)
}

/// Returns the folder paths of imported items, with the items of each folder.
pub(super) async fn folders(
    domain: &Domain,
    account_id: AccountId,
) -> Result<BTreeMap<Vec<String>, Vec<ItemId>>> {
    let mut folders: BTreeMap<Vec<String>, Vec<ItemId>> = BTreeMap::new();
    let mut after: Option<ItemId> = None;
    loop {
        let mut page = library_item::Entity::owned_by(account_id)
            .select_only()
            .columns([library_item::Column::Id, library_item::Column::Metadata])
            .filter(library_item::Column::Metadata.contains("\"folder\""))
            .order_by_asc(library_item::Column::Id)
            .limit(FOLDER_PAGE);
        if let Some(after) = after {
            page = page.filter(library_item::Column::Id.gt(after));
        }
        let rows: Vec<(ItemId, Option<String>)> = page.into_tuple().all(domain.db().read()).await?;
        let Some((last, _)) = rows.last() else { return Ok(folders) };
        after = Some(*last);
        for (id, metadata) in rows {
            if let Some(path) = metadata.as_deref().and_then(bookmarks::folder_of) {
                folders.entry(path).or_default().push(id);
            }
        }
    }
}

/// Tags and keys of a page of items.
pub(super) struct PageContext {
    tags: HashMap<ObjectId, Vec<String>>,
    keys: HashMap<ItemId, Vec<library_key::Model>>,
}

/// Loads the tags and keys of a page of items.
pub(super) async fn page_context(
    domain: &Domain,
    account_id: AccountId,
    rows: &[library_item::Model],
) -> Result<PageContext> {
    let ids: Vec<ItemId> = rows.iter().map(|row| row.id).collect();
    let objects: Vec<ObjectId> = ids.iter().map(|id| id.as_uuid().into()).collect();
    let mut keys: HashMap<ItemId, Vec<library_key::Model>> = HashMap::new();
    let key_rows = library_key::Entity::owned_by(account_id)
        .filter(library_key::Column::ItemId.is_in(ids))
        .filter(library_key::Column::DeletedAt.is_null())
        .order_by_asc(library_key::Column::Value)
        .all(domain.db().read())
        .await?;
    for key in key_rows {
        keys.entry(key.item_id).or_default().push(key);
    }
    let tags = tags::of_objects(domain.db().read(), account_id, &objects).await?;
    Ok(PageContext { tags, keys })
}

impl PageContext {
    pub(super) fn tags(&self, id: ItemId) -> &[String] {
        self.tags.get(&id.as_uuid().into()).map(Vec::as_slice).unwrap_or_default()
    }

    /// Creates the line of an item with all data that belongs to it. Loads the text and the supplied content.
    pub(super) async fn line(&self, domain: &Domain, row: &library_item::Model) -> Result<ItemLine> {
        let db = domain.db().read();
        let attachments = ItemAttachments {
            tags: self.tags(row.id).to_vec(),
            keys: self.keys.get(&row.id).cloned().unwrap_or_default(),
            text: text::load(db, row.account_id, row.id).await?,
            original: text::original(db, row.account_id, row.id).await?,
        };
        Ok(ItemLine::of(row, attachments))
    }
}

/// Returns the texts of the notes that belong to a page of items.
pub(super) async fn notes_of(
    domain: &Domain,
    account_id: AccountId,
    rows: &[library_item::Model],
) -> Result<HashMap<ItemId, Vec<String>>> {
    let ids: Vec<ItemId> = rows.iter().map(|row| row.id).collect();
    let rows: Vec<(Option<ItemId>, String)> = library_note::Entity::owned_by(account_id)
        .select_only()
        .columns([library_note::Column::ItemId, library_note::Column::Text])
        .filter(library_note::Column::ItemId.is_in(ids))
        .order_by_asc(library_note::Column::Id)
        .into_tuple()
        .all(domain.db().read())
        .await?;
    let mut notes: HashMap<ItemId, Vec<String>> = HashMap::new();
    for (item_id, text) in rows {
        if let Some(item_id) = item_id {
            notes.entry(item_id).or_default().push(text);
        }
    }
    Ok(notes)
}

/// Returns a page of notes after `after`.
pub(super) async fn notes(
    domain: &Domain,
    account_id: AccountId,
    after: Option<NoteId>,
) -> Result<Vec<NoteLine>> {
    let mut page =
        library_note::Entity::owned_by(account_id).order_by_asc(library_note::Column::Id).limit(PAGE as u64);
    if let Some(after) = after {
        page = page.filter(library_note::Column::Id.gt(after));
    }
    let rows = page.all(domain.db().read()).await?;
    let ids: Vec<ObjectId> = rows.iter().map(|row| row.id.as_uuid().into()).collect();
    let mut tags = tags::of_objects(domain.db().read(), account_id, &ids).await?;
    let detached = rows.iter().filter_map(|row| row.detached_from).collect();
    let detached = detached_lines(domain, account_id, detached).await?;
    let mut line = |row: library_note::Model| {
        let tags = tags.remove(&row.id.as_uuid().into()).unwrap_or_default();
        let detached_from = row.detached_from.and_then(|id| detached.get(&id).cloned());
        NoteLine::of(row, tags, detached_from)
    };
    Ok(rows.into_iter().map(&mut line).collect())
}

/// Returns a page of highlights after `after`.
pub(super) async fn highlights(
    domain: &Domain,
    account_id: AccountId,
    after: Option<HighlightId>,
) -> Result<Vec<HighlightLine>> {
    let mut page = library_highlight::Entity::owned_by(account_id)
        .order_by_asc(library_highlight::Column::Id)
        .limit(PAGE as u64);
    if let Some(after) = after {
        page = page.filter(library_highlight::Column::Id.gt(after));
    }
    let rows = page.all(domain.db().read()).await?;
    let ids: Vec<ObjectId> = rows.iter().map(|row| row.id.as_uuid().into()).collect();
    let mut tags = tags::of_objects(domain.db().read(), account_id, &ids).await?;
    let item_ids: HashSet<ItemId> = rows.iter().filter_map(|row| row.item_id).collect();
    let hashes: Vec<(ItemId, Option<String>)> = library_item::Entity::owned_by(account_id)
        .select_only()
        .columns([library_item::Column::Id, library_item::Column::ContentHash])
        .filter(library_item::Column::Id.is_in(item_ids))
        .into_tuple()
        .all(domain.db().read())
        .await?;
    let hashes: HashMap<ItemId, Option<String>> = hashes.into_iter().collect();
    let detached = rows.iter().filter_map(|row| row.detached_from).collect();
    let detached = detached_lines(domain, account_id, detached).await?;
    let mut line = |row: library_highlight::Model| {
        let tags = tags.remove(&row.id.as_uuid().into()).unwrap_or_default();
        let detached_from = row.detached_from.and_then(|id| detached.get(&id).cloned());
        let text_hash = row.item_id.and_then(|id| hashes.get(&id).cloned().flatten());
        HighlightLine::of(row, tags, detached_from, text_hash)
    };
    Ok(rows.into_iter().map(&mut line).collect())
}

/// Describes the deleted items to which a page of notes or highlights belonged.
async fn detached_lines(
    domain: &Domain,
    account_id: AccountId,
    ids: Vec<ItemId>,
) -> Result<HashMap<ItemId, DetachedLine>> {
    let line = |id: ItemId| (id, DetachedLine { item_id: id, keys: Vec::new() });
    let mut lines: HashMap<ItemId, DetachedLine> = ids.iter().copied().map(line).collect();
    if lines.is_empty() {
        return Ok(lines);
    }
    let rows = library_key::Entity::owned_by(account_id)
        .filter(library_key::Column::ItemId.is_in(ids))
        .filter(library_key::Column::DeletedAt.is_not_null())
        .order_by_asc(library_key::Column::Hash)
        .all(domain.db().read())
        .await?;
    for row in rows {
        if let Some(line) = lines.get_mut(&row.item_id) {
            line.keys.push(RetiredKeyLine { kind: row.kind, hash: HEXLOWER.encode(&row.hash) });
        }
    }
    // An import of a line with too many keys leaves out the last ones.
    for line in lines.values_mut() {
        line.keys.sort_by_key(|key| key.kind != KeyKind::Url);
    }
    Ok(lines)
}

/// Returns a page of highlights with a card after `after`.
pub(super) async fn cards(
    domain: &Domain,
    account_id: AccountId,
    after: Option<HighlightId>,
) -> Result<Vec<Highlight>> {
    let mut page = library_highlight::Entity::owned_by(account_id)
        .filter(library_highlight::Column::Card.is_not_null())
        .order_by_asc(library_highlight::Column::Id)
        .limit(PAGE as u64);
    if let Some(after) = after {
        page = page.filter(library_highlight::Column::Id.gt(after));
    }
    let rows = page.all(domain.db().read()).await?;
    highlights::resolve_all(domain.db().read(), account_id, rows).await
}
