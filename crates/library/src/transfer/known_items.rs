//! Existing items that rows of an import match. The items of a batch, their tags, and their keys are read and
//! written with few statements, because most rows of a repeated import change nothing.

use std::collections::{HashMap, HashSet};

use entities::ids::{ImportId, ItemId, ObjectId};
use entities::library_item;
use sea_orm::{ColumnTrait, QueryFilter};

use super::import_record::ImportRecord;
use crate::keys::{Holder, ItemKey};
use crate::tags::{self, Tag};
use crate::{LibraryTransaction, annotations, item, pending_deletions};
use kernel::Result;

const ITEMS_PER_STATEMENT: usize = 100;

/// Existing items of a batch.
pub(super) struct KnownItems {
    pub(super) import_id: ImportId,
    /// Items as stored. An item that a row changes is removed.
    rows: HashMap<ItemId, (library_item::Model, Vec<Tag>)>,
    /// Items that rows match.
    matched: HashSet<ItemId>,
    /// Keys of the matching rows that are not assigned yet.
    keys: Vec<(ItemId, ItemKey)>,
}

impl KnownItems {
    /// Reads the items that rows of a batch match: at most one for each row. No item is read for rows of annotations.
    pub(super) async fn load(
        transaction: &LibraryTransaction,
        import_id: ImportId,
        batch: &[ImportRecord],
        holders: &HashMap<Vec<u8>, Holder>,
    ) -> Result<Self> {
        let (db, account_id) = (transaction.db(), transaction.account_id);
        let items = batch.iter().filter(|row| row.item.is_some());
        let ids: HashSet<ItemId> = items.filter_map(|row| row.holder(holders)?.item()).collect();
        let ids: Vec<ItemId> = ids.into_iter().collect();
        let mut rows = HashMap::with_capacity(ids.len());
        for ids in ids.chunks(ITEMS_PER_STATEMENT) {
            let stored = library_item::Entity::owned_by(account_id)
                .filter(library_item::Column::Id.is_in(ids.to_vec()))
                .all(db)
                .await?;
            let objects: Vec<ObjectId> = stored.iter().map(|row| item::object(row.id)).collect();
            let mut tags = tags::current_of(db, account_id, &objects).await?;
            for row in stored {
                let tags = tags.remove(&item::object(row.id)).unwrap_or_default();
                rows.insert(row.id, (row, tags));
            }
        }
        Ok(Self { import_id, rows, matched: HashSet::new(), keys: Vec::new() })
    }

    /// Removes and returns an item with its tags. Reads it if a row of the batch has changed it. `None` if it
    /// does not exist.
    pub(super) async fn take(
        &mut self,
        transaction: &LibraryTransaction,
        id: ItemId,
    ) -> Result<Option<(library_item::Model, Vec<Tag>)>> {
        if let Some(known) = self.rows.remove(&id) {
            return Ok(Some(known));
        }
        let (db, account_id) = (transaction.db(), transaction.account_id);
        let Some(row) = item::row(db, account_id, id).await? else { return Ok(None) };
        let tags = tags::current(db, account_id, item::object(id)).await?;
        Ok(Some((row, tags)))
    }

    /// Puts back an item that a row did not change.
    pub(super) fn put_back(&mut self, row: library_item::Model, tags: Vec<Tag>) {
        self.rows.insert(row.id, (row, tags));
    }

    /// Adds the keys of a row that matches an item.
    pub(super) fn add_keys(&mut self, id: ItemId, keys: &[ItemKey]) {
        self.matched.insert(id);
        self.keys.extend(keys.iter().map(|key| (id, key.clone())));
    }

    /// Assigns the keys that were added so far.
    pub(super) async fn assign_keys(&mut self, transaction: &mut LibraryTransaction) -> Result<()> {
        let keys = std::mem::take(&mut self.keys);
        annotations::assign_keys(transaction, keys.iter().map(|(id, key)| (*id, key)).collect()).await
    }

    /// Assigns the keys, and cancels the pending deletions of the items that rows match.
    pub(super) async fn finish(mut self, transaction: &mut LibraryTransaction) -> Result<()> {
        self.assign_keys(transaction).await?;
        let ids: Vec<ItemId> = self.matched.into_iter().collect();
        for ids in ids.chunks(ITEMS_PER_STATEMENT) {
            pending_deletions::retain_items(transaction, ids).await?;
        }
        Ok(())
    }
}
