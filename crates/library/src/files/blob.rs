//! Rows of blobs that are in use, being written, or scheduled for deletion.

use async_recursion::async_recursion as boxed;
use bytes::Bytes;
use entities::ids::{AccountId, ItemId};
use entities::{library_blob, library_item};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use crate::LibraryTransaction;
use kernel::blobs::{Blobs, StoredBlob, Upload};
use kernel::clock::{DAY, MINUTE};
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum duration of an upload. A longer upload is abandoned.
pub(crate) const UPLOAD_TIME: Millis = DAY;
/// Time for which a replaced or deleted file remains available to downloads that are about to open it. The
/// deletion does not interrupt downloads that have opened the file.
pub(super) const LINGER: Millis = 2 * MINUTE;

/// Inserts the row of a blob that is about to be written for an item, and reserves `reserved` bytes of
/// storage.
pub(super) async fn announce(
    transaction: &mut LibraryTransaction,
    blob: &str,
    item_id: ItemId,
    replaces: Option<String>,
    reserved: i64,
) -> Result<()> {
    transaction.reserve(reserved).await?;
    let row = library_blob::ActiveModel {
        blob: Set(blob.to_owned()),
        account_id: Set(transaction.account_id),
        item_id: Set(Some(item_id)),
        replaces: Set(replaces),
        reserved_bytes: Set(reserved),
        delete_at: Set(Some(transaction.now + UPLOAD_TIME)),
    };
    library_blob::Entity::insert(row).exec_without_returning(transaction.db()).await?;
    Ok(())
}

/// Returns true if a file is being uploaded for an item.
#[boxed]
pub async fn is_upload_running(transaction: &LibraryTransaction, item_id: ItemId) -> Result<bool> {
    let query = library_blob::Entity::owned_by(transaction.account_id)
        .filter(library_blob::Column::ItemId.eq(item_id))
        .filter(library_blob::Column::DeleteAt.gt(transaction.now));
    Ok(query.one(transaction.db()).await?.is_some())
}

/// Marks a blob as in use and releases its reserved storage.
///
/// # Errors
/// `service_unavailable` if the upload was abandoned in the meantime.
pub(crate) async fn mark_in_use(transaction: &mut LibraryTransaction, blob: &str) -> Result<()> {
    let row = row(transaction, blob).await?.ok_or_else(abandoned)?;
    transaction.reserve(-row.reserved_bytes).await?;
    library_blob::Entity::update_many()
        .set(library_blob::ActiveModel { reserved_bytes: Set(0), delete_at: Set(None), ..Default::default() })
        .filter(library_blob::Column::Blob.eq(blob))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Error for a blob whose row was deleted because its upload took too long.
fn abandoned() -> Error {
    let message = "The upload took too long. Send the file again.";
    Error::new(Code::ServiceUnavailable, message).retry_after(5)
}

/// Deletes the row of a blob that is no longer needed, and releases its reserved storage.
pub(super) async fn delete_row(transaction: &mut LibraryTransaction, blob: &str) -> Result<()> {
    if let Some(row) = row(transaction, blob).await? {
        transaction.reserve(-row.reserved_bytes).await?;
        library_blob::Entity::delete_many()
            .filter(library_blob::Column::Blob.eq(blob))
            .exec(transaction.db())
            .await?;
    }
    Ok(())
}

/// Returns true if a blob is not scheduled for deletion.
pub(super) async fn is_in_use(transaction: &LibraryTransaction, blob: &str) -> Result<bool> {
    Ok(row(transaction, blob).await?.is_some_and(|row| row.delete_at.is_none()))
}

async fn row(transaction: &LibraryTransaction, blob: &str) -> Result<Option<library_blob::Model>> {
    let query =
        library_blob::Entity::owned_by(transaction.account_id).filter(library_blob::Column::Blob.eq(blob));
    Ok(query.one(transaction.db()).await?)
}

/// File that was removed from its item.
pub struct ReleasedFile {
    pub blob: String,
    /// Size in bytes.
    pub size: i64,
}

impl ReleasedFile {
    /// Returns the file of an item. `None` if the item has no file.
    pub fn of(item: &library_item::Model) -> Option<Self> {
        Some(Self { blob: item.asset_blob.clone()?, size: item.asset_size.unwrap_or(0) })
    }
}

/// Schedules released files for deletion. Their bytes remain reserved until they are deleted.
#[boxed]
pub async fn release(transaction: &mut LibraryTransaction, files: &[ReleasedFile]) -> Result<()> {
    for file in files {
        let change = library_blob::ActiveModel {
            reserved_bytes: Set(file.size),
            delete_at: Set(Some(transaction.now + LINGER)),
            ..Default::default()
        };
        let released = library_blob::Entity::update_many()
            .set(change)
            .filter(library_blob::Column::AccountId.eq(transaction.account_id))
            .filter(library_blob::Column::Blob.eq(file.blob.as_str()))
            .exec(transaction.db())
            .await?;
        if released.rows_affected > 0 {
            transaction.reserve(file.size).await?;
        }
    }
    Ok(())
}

/// Starts the upload of a blob that does not belong to an item yet. Returns its key and the upload. The blob
/// is deleted after `lifetime` unless it is marked as in use by then.
#[boxed]
pub async fn begin_unassigned(
    domain: &Domain,
    account_id: AccountId,
    lifetime: Millis,
) -> Result<(String, Upload)> {
    let blob = Blobs::key_of(account_id, domain.random());
    let row = library_blob::ActiveModel {
        blob: Set(blob.clone()),
        account_id: Set(account_id),
        item_id: Set(None),
        replaces: Set(None),
        reserved_bytes: Set(0),
        delete_at: Set(Some(domain.now() + lifetime)),
    };
    library_blob::Entity::insert(row).exec_without_returning(domain.db().write()).await?;
    let upload = domain.blobs().begin(&blob).await?;
    Ok((blob, upload))
}

/// Inserts the row of a blob that is about to be written and does not belong to an item yet, and reserves `bytes` bytes of
/// storage. The blob is deleted after `lifetime` unless it is assigned to an item by then.
pub(super) async fn announce_unassigned(
    transaction: &mut LibraryTransaction,
    blob: &str,
    bytes: i64,
    lifetime: Millis,
) -> Result<()> {
    transaction.reserve(bytes).await?;
    let row = library_blob::ActiveModel {
        blob: Set(blob.to_owned()),
        account_id: Set(transaction.account_id),
        item_id: Set(None),
        replaces: Set(None),
        reserved_bytes: Set(bytes),
        delete_at: Set(Some(transaction.now + lifetime)),
    };
    library_blob::Entity::insert(row).exec_without_returning(transaction.db()).await?;
    Ok(())
}

/// Stores a local file as a blob that does not belong to an item yet. The blob is deleted after a day unless
/// it is marked as in use by then.
#[boxed]
pub async fn store_unassigned(
    domain: &Domain,
    account_id: AccountId,
    file: std::fs::File,
) -> Result<(String, StoredBlob)> {
    let (blob, mut upload) = begin_unassigned(domain, account_id, UPLOAD_TIME).await?;
    let mut file = tokio::fs::File::from_std(file);
    let mut piece = vec![0; 1024 * 1024];
    loop {
        match tokio::io::AsyncReadExt::read(&mut file, &mut piece).await.map_err(Error::internal)? {
            0 => return Ok((blob, upload.finish().await?)),
            count => upload.push(&piece[..count]).await?,
        }
    }
}

/// Reserves storage for a stored blob without an item, and cancels its scheduled deletion. The blob is then
/// assigned to an item, or discarded with [`discard_unassigned`].
///
/// # Errors
/// `storage_limit_reached`; `service_unavailable` if the blob was abandoned in the meantime.
#[boxed]
pub async fn retain_unassigned(transaction: &mut LibraryTransaction, blob: &str, bytes: i64) -> Result<()> {
    transaction.require_capacity_for(bytes, 0)?;
    let change =
        library_blob::ActiveModel { reserved_bytes: Set(bytes), delete_at: Set(None), ..Default::default() };
    let retained = library_blob::Entity::update_many()
        .set(change)
        .filter(library_blob::Column::AccountId.eq(transaction.account_id))
        .filter(library_blob::Column::Blob.eq(blob))
        .exec(transaction.db())
        .await?;
    if retained.rows_affected == 0 {
        return Err(abandoned());
    }
    transaction.reserve(bytes).await
}

/// Stores a whole file that does not belong to an item yet. Returns the key of its blob, which gets a row with
/// [`NewBlobs`]. The sweep deletes a blob that has no row after a day.
#[boxed]
pub async fn write_unassigned(domain: &Domain, account_id: AccountId, bytes: Bytes) -> Result<String> {
    let blob = Blobs::key_of(account_id, domain.random());
    domain.blobs().write(&blob, bytes).await?;
    Ok(blob)
}

/// Blobs without an item whose rows are inserted in one transaction, with two statements. Each blob is then assigned to
/// an item, or discarded with [`discard_unassigned`].
#[derive(Debug, Default)]
pub struct NewBlobs {
    rows: Vec<library_blob::ActiveModel>,
    bytes: i64,
}

impl NewBlobs {
    /// Adds a blob if the free storage is sufficient for it and the blobs that were added before.
    ///
    /// # Errors
    /// `storage_limit_reached` if the storage is not sufficient. The blob is not added.
    pub fn add(&mut self, transaction: &LibraryTransaction, blob: &str, bytes: i64) -> Result<()> {
        let total = self.bytes.saturating_add(bytes);
        transaction.require_capacity_for(total, 0)?;
        self.bytes = total;
        self.rows.push(library_blob::ActiveModel {
            blob: Set(blob.to_owned()),
            account_id: Set(transaction.account_id),
            item_id: Set(None),
            replaces: Set(None),
            reserved_bytes: Set(bytes),
            delete_at: Set(None),
        });
        Ok(())
    }

    /// Inserts the rows, and reserves storage for the blobs.
    #[boxed]
    pub async fn insert(self, transaction: &mut LibraryTransaction) -> Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        library_blob::Entity::insert_many(self.rows).exec_without_returning(transaction.db()).await?;
        transaction.reserve(self.bytes).await
    }
}

/// Schedules the deletion of a retained blob that is not needed. Its storage is released when it is deleted.
#[boxed]
pub async fn discard_unassigned(transaction: &LibraryTransaction, blob: &str) -> Result<()> {
    let change = library_blob::ActiveModel { delete_at: Set(Some(transaction.now)), ..Default::default() };
    library_blob::Entity::update_many()
        .set(change)
        .filter(library_blob::Column::AccountId.eq(transaction.account_id))
        .filter(library_blob::Column::Blob.eq(blob))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Assigns a blob to an item, and releases its reserved storage.
///
/// # Errors
/// `service_unavailable` if the upload was abandoned in the meantime.
pub(crate) async fn assign_retained(
    transaction: &mut LibraryTransaction,
    blob: &str,
    item_id: ItemId,
) -> Result<()> {
    mark_in_use(transaction, blob).await?;
    library_blob::Entity::update_many()
        .set(library_blob::ActiveModel { item_id: Set(Some(item_id)), ..Default::default() })
        .filter(library_blob::Column::AccountId.eq(transaction.account_id))
        .filter(library_blob::Column::Blob.eq(blob))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Deletes all files of a deleted account. Returns the number of deleted files.
#[boxed]
pub async fn delete_account_files(domain: &Domain, account_id: &str) -> Result<u64> {
    let account_id = uuid::Uuid::parse_str(account_id).map_err(Error::internal)?;
    domain.blobs().delete_account(account_id.into()).await
}
