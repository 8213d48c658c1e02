//! Keys by which saves are matched to items: each id and each URL with which an item was saved. A key belongs
//! to one item of the account. The key hashes of a deleted item are retained for 180 days.

use std::collections::{HashMap, HashSet};

use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_words::KeyKind;
use entities::{library_change, library_key};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, Value};

use super::item;
use super::transaction::LibraryTransaction;
use kernel::clock::DAY;
pub use kernel::item_key::ItemKey;
use kernel::statement::{execute, placeholders};
use kernel::{Millis, Result};

/// Time for which the keys of deleted items are retained.
pub(crate) const KEY_RETENTION: Millis = 180 * DAY;
const KEYS_PER_STATEMENT: usize = 1_000;

/// Item to which a key belongs or belonged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    Item(ItemId),
    /// Deleted item to which the key belonged, in this library or in the library from which annotations of the item were
    /// imported.
    Deleted(ItemId),
}

impl Holder {
    /// Returns the item to which the key belongs. `None` if the item was deleted.
    pub(crate) fn item(self) -> Option<ItemId> {
        match self {
            Self::Item(id) => Some(id),
            Self::Deleted(_) => None,
        }
    }

    /// Returns the id of the item, which may be deleted.
    pub(crate) fn id(self) -> ItemId {
        match self {
            Self::Item(id) | Self::Deleted(id) => id,
        }
    }
}

/// Key of which only the hash is known, because its item was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RetiredKey {
    pub(crate) kind: KeyKind,
    pub(crate) hash: Vec<u8>,
}

impl RetiredKey {
    pub(crate) fn of(key: &ItemKey) -> Self {
        Self { kind: key.kind, hash: key.hash() }
    }
}

/// Returns the holder of each key, in the order of `keys`.
pub(crate) async fn holders(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    keys: &[ItemKey],
) -> Result<Vec<Option<Holder>>> {
    let hashes: Vec<Vec<u8>> = keys.iter().map(ItemKey::hash).collect();
    let holders = holders_of_hashes(connection, account_id, &hashes).await?;
    Ok(hashes.iter().map(|hash| holders.get(hash).copied()).collect())
}

/// Returns the holders of the keys with these hashes.
pub(crate) async fn holders_of_hashes(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    hashes: &[Vec<u8>],
) -> Result<HashMap<Vec<u8>, Holder>> {
    let mut holders = HashMap::new();
    for chunk in hashes.chunks(KEYS_PER_STATEMENT) {
        let rows = library_key::Entity::owned_by(account_id)
            .filter(library_key::Column::Hash.is_in(chunk.to_vec()))
            .all(connection)
            .await?;
        let holder = |row: library_key::Model| match row.deleted_at {
            None => (row.hash, Holder::Item(row.item_id)),
            Some(_) => (row.hash, Holder::Deleted(row.item_id)),
        };
        holders.extend(rows.into_iter().map(holder));
    }
    Ok(holders)
}

/// Returns the existing item to which `key` belongs.
pub(crate) async fn item_with(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    key: &ItemKey,
) -> Result<Option<ItemId>> {
    let holder = holders(connection, account_id, std::slice::from_ref(key)).await?.pop().flatten();
    Ok(match holder {
        Some(Holder::Item(id)) => Some(id),
        Some(Holder::Deleted(_)) | None => None,
    })
}

/// Returns the items among `ids` that were deleted from this library. Other deleted items are known only because their
/// annotations were imported from a library from which the items had been deleted.
pub(crate) async fn deleted_in_library(
    transaction: &LibraryTransaction,
    ids: &[ItemId],
) -> Result<HashSet<ItemId>> {
    let mut deleted = HashSet::new();
    for ids in ids.chunks(KEYS_PER_STATEMENT) {
        let objects: Vec<ObjectId> = library_change::Entity::owned_by(transaction.account_id)
            .select_only()
            .column(library_change::Column::ObjectId)
            .filter(library_change::Column::ObjectId.is_in(ids.iter().copied().map(item::object)))
            .filter(library_change::Column::IsDeleted.eq(true))
            .into_tuple()
            .all(transaction.db())
            .await?;
        deleted.extend(objects.into_iter().map(|id| ItemId::from(id.as_uuid())));
    }
    Ok(deleted)
}

/// Assigns keys to an item. A key that belongs to another existing item is not reassigned. A key of a deleted
/// item is reassigned.
pub(crate) async fn assign(
    transaction: &LibraryTransaction,
    item_id: ItemId,
    keys: &[ItemKey],
) -> Result<()> {
    assign_all(transaction, keys.iter().map(|key| (item_id, key)).collect()).await
}

/// Assigns keys to many items, as [`assign`] does for one item. If a key is listed for several items, the
/// first of them receives it.
pub(crate) async fn assign_all(
    transaction: &LibraryTransaction,
    keys: Vec<(ItemId, &ItemKey)>,
) -> Result<()> {
    let mut known = HashSet::new();
    let keys: Vec<(ItemId, Vec<u8>, &ItemKey)> = keys
        .into_iter()
        .map(|(item_id, key)| (item_id, key.hash(), key))
        .filter(|(_, hash, _)| known.insert(hash.clone()))
        .collect();
    for chunk in keys.chunks(KEYS_PER_STATEMENT) {
        let mut values: Vec<Value> = vec![transaction.account_id.into()];
        let mut rows = Vec::with_capacity(chunk.len());
        for (item_id, hash, key) in chunk {
            rows.push(format!("($1, {})", placeholders(values.len() + 1, 4)));
            let (kind, value) = (key.kind.as_str(), key.value.as_str());
            values.extend([hash.clone().into(), kind.into(), value.into(), (*item_id).into()]);
        }
        let sql = format!(
            "INSERT INTO library_key (account_id, hash, kind, value, item_id) VALUES {} \
             ON CONFLICT (account_id, hash) DO UPDATE SET item_id = excluded.item_id, kind = excluded.kind, \
             value = excluded.value, deleted_at = NULL WHERE library_key.deleted_at IS NOT NULL",
            rows.join(", ")
        );
        execute(transaction.db(), &sql, values).await?;
    }
    Ok(())
}

/// Adds keys to deleted objects. A key that belongs or belonged to an item is not reassigned.
pub(crate) async fn assign_to_deleted(
    transaction: &LibraryTransaction,
    keys: &[(ItemId, RetiredKey)],
) -> Result<()> {
    for chunk in keys.chunks(KEYS_PER_STATEMENT) {
        let mut values: Vec<Value> = vec![transaction.account_id.into(), transaction.now.into()];
        let mut rows = Vec::with_capacity(chunk.len());
        for (item_id, key) in chunk {
            rows.push(format!("($1, $2, {})", placeholders(values.len() + 1, 3)));
            values.extend([key.hash.clone().into(), key.kind.as_str().into(), (*item_id).into()]);
        }
        let sql = format!(
            "INSERT INTO library_key (account_id, deleted_at, hash, kind, item_id) VALUES {} \
             ON CONFLICT (account_id, hash) DO NOTHING",
            rows.join(", ")
        );
        execute(transaction.db(), &sql, values).await?;
    }
    Ok(())
}

/// Marks the keys of deleted items as deleted, and retains only the hashes of the keys.
pub(crate) async fn retire(transaction: &LibraryTransaction, item_ids: &[ItemId]) -> Result<()> {
    let now = Value::from(transaction.now);
    library_key::Entity::update_many()
        .col_expr(library_key::Column::Value, Value::String(None).into())
        .col_expr(library_key::Column::DeletedAt, now.into())
        .filter(library_key::Column::AccountId.eq(transaction.account_id))
        .filter(library_key::Column::ItemId.is_in(item_ids.to_vec()))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Deletes the keys of deleted items, including their hashes.
pub(crate) async fn delete_all(transaction: &LibraryTransaction, item_ids: &[ItemId]) -> Result<()> {
    library_key::Entity::delete_many()
        .filter(library_key::Column::AccountId.eq(transaction.account_id))
        .filter(library_key::Column::ItemId.is_in(item_ids.to_vec()))
        .exec(transaction.db())
        .await?;
    Ok(())
}
