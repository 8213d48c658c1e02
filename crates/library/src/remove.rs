//! Deletes items with their texts and index rows. Key hashes are retained for some time. Notes and highlights
//! are detached unless their deletion is requested.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_item;
use entities::library_words::ObjectKind;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use super::annotations::{self, Annotations};
use super::change::IfMatch;
use super::item::{self, object};
use super::transaction::LibraryTransaction;
use super::{files, keys, page_copies};
use crate::files::ReleasedFile;
use kernel::error::not_found;
use kernel::{Domain, Result};

/// Deletion of one item.
#[derive(Clone, Debug, Default)]
pub struct ItemDeletion {
    pub annotations: Annotations,
    /// Required version of the item.
    pub if_match: Option<IfMatch>,
}

/// Deletes an item.
///
/// # Errors
/// `not_found` if the item does not exist or is already deleted, `precondition_failed`.
#[boxed]
pub async fn delete(
    domain: &Domain,
    account_id: AccountId,
    id: ItemId,
    deletion: ItemDeletion,
) -> Result<()> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let row = item::row(transaction.db(), account_id, id).await?.ok_or_else(|| not_found("item"))?;
    if let Some(versions) = &deletion.if_match {
        versions.check(row.sequence)?;
    }
    delete_in(&mut transaction, &[row], deletion.annotations).await?;
    transaction.commit().await
}

/// Deletes items in one transaction. Returns the number of items that existed.
#[boxed]
pub async fn delete_all(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
    annotations: Annotations,
) -> Result<u64> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let deleted = delete_existing(&mut transaction, ids, annotations).await?;
    transaction.commit().await?;
    Ok(deleted)
}

/// Deletes the items that exist, in an open transaction. Returns their number.
pub(crate) async fn delete_existing(
    transaction: &mut LibraryTransaction,
    ids: &[ItemId],
    annotations: Annotations,
) -> Result<u64> {
    let rows = library_item::Entity::owned_by(transaction.account_id)
        .filter(library_item::Column::Id.is_in(ids.to_vec()))
        .all(transaction.db())
        .await?;
    delete_in(transaction, &rows, annotations).await?;
    Ok(rows.len() as u64)
}

/// Deletes items in an open transaction.
pub(crate) async fn delete_in(
    transaction: &mut LibraryTransaction,
    rows: &[library_item::Model],
    annotations: Annotations,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    annotations::detach_or_delete(transaction, rows, annotations).await?;
    let ids: Vec<ItemId> = rows.iter().map(|row| row.id).collect();
    let objects: Vec<ObjectId> = ids.iter().map(|id| object(*id)).collect();
    for row in rows {
        transaction.tombstone(ObjectKind::Item, object(row.id));
        transaction.count(row.stored_bytes, 0);
    }
    keys::retire(transaction, &ids).await?;
    annotations::remove_tags_and_index(transaction, &objects).await?;
    let copies = page_copies::rows_of(transaction.db(), transaction.account_id, &ids).await?;
    for copy in &copies {
        page_copies::withdraw(transaction, copy).await?;
    }
    let released =
        rows.iter().filter_map(ReleasedFile::of).chain(copies.iter().filter_map(page_copies::file_of));
    let released: Vec<ReleasedFile> = released.collect();
    files::release(transaction, &released).await?;
    // The database deletes the text, the supplied content, and the copies of the page with the row of the item.
    library_item::Entity::delete_many()
        .filter(library_item::Column::AccountId.eq(transaction.account_id))
        .filter(library_item::Column::Id.is_in(ids))
        .exec(transaction.db())
        .await?;
    Ok(())
}
