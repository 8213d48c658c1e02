//! Upload of item files: reserves storage, writes the bytes to the store, and assigns the file to its item in
//! one transaction.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_item;
use entities::library_words::{ArticleStatus, ClassificationMethod, Lane, ObjectKind, TextOrigin};
use extract::sniff::{self, DetectedType, TypeMismatch};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter};

use super::blob::ReleasedFile;
use super::{blob, kind, name};
use crate::account_concurrency::pace_upload;
use crate::item::{self, Item};
use crate::rule_queue;
use crate::transaction::LibraryTransaction;
use kernel::blobs::{Blobs, StoredBlob, Upload};
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result, Used};

/// Confidence of a content kind that is derived from the media type of a file.
const MIME_CONFIDENCE: i16 = 90;

/// Effect of an upload on a file that the item already has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingFile {
    Replace,
    /// Refuses the upload and retains the existing file.
    Keep,
}

/// File that is about to be uploaded.
#[derive(Clone, Debug)]
pub struct NewFile {
    pub item_id: ItemId,
    /// Declared media type.
    pub declared: Option<String>,
    /// Declared file name.
    pub name: Option<String>,
    /// Maximum size in bytes.
    pub length: u64,
    /// Declared SHA-256 digest.
    pub digest: Option<[u8; 32]>,
    pub existing: ExistingFile,
}

/// Running upload. If it is dropped before [`FileUpload::finish`], the written bytes are deleted.
pub struct FileUpload {
    domain: Domain,
    account_id: AccountId,
    new: NewFile,
    blob: String,
    replaces: Option<String>,
    upload: Option<Upload>,
}

#[derive(Debug)]
pub struct UploadResult {
    pub item: Item,
    /// True if the item had no file before.
    pub is_first: bool,
}

/// Starts an upload after checking the item, the size limit, and the storage of the account.
///
/// # Errors
/// `not_found`; `payload_too_large`; `storage_limit_reached`; `store_full`; `service_unavailable`.
#[boxed]
pub async fn begin_file(domain: &Domain, account_id: AccountId, new: NewFile) -> Result<FileUpload> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let item = find(transaction.db(), account_id, new.item_id).await?;
    let limit = transaction.plan.file_bytes;
    if new.length > limit {
        return Err(too_large(limit, new.length));
    }
    let length = i64::try_from(new.length).unwrap_or(i64::MAX);
    transaction.require_capacity_for(length, item.asset_size.unwrap_or(0))?;
    let key = Blobs::key_of(account_id, domain.random());
    // The replaced file remains on the disk during the upload, so the whole new file is reserved.
    blob::announce(&mut transaction, &key, item.id, item.asset_blob.clone(), length).await?;
    transaction.commit().await?;
    let mut file = FileUpload {
        domain: domain.clone(),
        account_id,
        new,
        blob: key,
        replaces: item.asset_blob,
        upload: None,
    };
    match domain.blobs().begin(&file.blob).await {
        Ok(upload) => file.upload = Some(upload),
        Err(error) => {
            file.give_up().await;
            return Err(error);
        }
    }
    Ok(file)
}

/// Starts the upload of a blob of `bytes` bytes that does not belong to an item yet and replaces a file of
/// `replaced` bytes. Its storage is reserved before the first byte is written. The blob is deleted after
/// `lifetime` unless it is assigned to an item by then.
///
/// # Errors
/// `storage_limit_reached`; `store_full`; `service_unavailable`.
pub(crate) async fn begin_reserved(
    domain: &Domain,
    mut transaction: LibraryTransaction,
    (bytes, replaced): (i64, i64),
    lifetime: Millis,
) -> Result<(String, Upload)> {
    transaction.require_capacity_for(bytes, replaced)?;
    let account_id = transaction.account_id;
    let key = Blobs::key_of(account_id, domain.random());
    blob::announce_unassigned(&mut transaction, &key, bytes, lifetime).await?;
    transaction.commit().await?;
    match domain.blobs().begin(&key).await {
        Ok(upload) => Ok((key, upload)),
        Err(error) => {
            give_up(domain, account_id, &key).await;
            Err(error)
        }
    }
}

impl FileUpload {
    /// Writes the next chunk. Waits if the account exceeds its upload rate.
    ///
    /// # Errors
    /// `payload_too_large` if the file is longer than announced; `service_unavailable` if the blob store does
    /// not respond.
    #[boxed]
    pub async fn push(&mut self, piece: &[u8]) -> Result<()> {
        let Some(upload) = &mut self.upload else { return Err(Error::internal("upload already finished")) };
        if upload.size() + piece.len() as u64 > self.new.length {
            return Err(Error::new(Code::PayloadTooLarge, "The file is longer than announced."));
        }
        pace_upload(&self.domain, self.account_id, piece.len()).await;
        upload.push(piece).await
    }

    /// Assigns the file to its item. If an error is returned, the item is unchanged.
    ///
    /// # Errors
    /// `checksum_mismatch`; `unsupported_media_type` if the file does not have the declared type;
    /// `precondition_failed` or `asset_conflict` if the item has another file; `not_found` if the item was
    /// deleted.
    #[boxed]
    pub async fn finish(mut self) -> Result<UploadResult> {
        let Some(upload) = self.upload.take() else { return Err(Error::internal("upload already finished")) };
        let put = match upload.finish().await {
            Ok(stored) => self.put(&stored).await,
            Err(error) => Err(error),
        };
        // A blob that was not assigned to the item is deleted.
        if !matches!(&put, Ok(put) if put.item.asset_blob.as_ref() == Some(&self.blob)) {
            self.give_up().await;
        }
        put
    }

    async fn put(&self, stored: &StoredBlob) -> Result<UploadResult> {
        if self.new.digest.is_some_and(|digest| digest != stored.digest) {
            return Err(Error::new(
                Code::ChecksumMismatch,
                "The file does not match the digest that was sent.",
            ));
        }
        let mut transaction = LibraryTransaction::begin(&self.domain, self.account_id).await?;
        let item = find(transaction.db(), self.account_id, self.new.item_id).await?;
        if item.asset_checksum.as_deref() == Some(stored.checksum().as_str()) {
            let item = item::find(transaction.db(), self.account_id, item.id).await?;
            return Ok(UploadResult { item, is_first: false });
        }
        match (self.new.existing, &item.asset_blob) {
            (ExistingFile::Keep, Some(_)) => {
                return Err(Error::new(Code::PreconditionFailed, "The item already has another file."));
            }
            (_, existing) if *existing != self.replaces => {
                let message = "Another file was uploaded meanwhile.";
                return Err(Error::new(Code::AssetConflict, message));
            }
            (ExistingFile::Keep | ExistingFile::Replace, _) => {}
        }
        let file_name = self.new.name.clone().or_else(|| item.file_name.clone()).unwrap_or_default();
        let file_name = name::clean(&file_name);
        let declared = self.new.declared.clone().or_else(|| item.mime_type.clone()).unwrap_or_default();
        let kind = type_of(stored, &declared, &file_name)?;
        blob::mark_in_use(&mut transaction, &self.blob).await?;
        blob::release(&mut transaction, ReleasedFile::of(&item).as_slice()).await?;
        let is_first = item.asset_blob.is_none();
        let item = assign(
            &mut transaction,
            item,
            AssignedFile { blob: &self.blob, stored, kind: &kind, name: file_name },
        )
        .await?;
        let item = item::find(transaction.db(), self.account_id, item.id).await?;
        transaction.commit().await?;
        Ok(UploadResult { item, is_first })
    }

    async fn give_up(&self) {
        give_up(&self.domain, self.account_id, &self.blob).await;
    }
}

/// Abandons the upload if the client disconnected or an error occurred.
impl Drop for FileUpload {
    fn drop(&mut self) {
        if let Some(upload) = self.upload.take() {
            abandon(&self.domain, self.account_id, &self.blob, upload);
        }
    }
}

/// Removes an abandoned upload in the background. `upload` is `None` if its last byte was written.
pub fn abandon(domain: &Domain, account_id: AccountId, key: &str, upload: impl Into<Option<Upload>>) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
    let upload: Option<Upload> = upload.into();
    let (domain, key) = (domain.clone(), key.to_owned());
    runtime.spawn(async move {
        if let Some(upload) = upload {
            upload.abort().await;
        }
        give_up(&domain, account_id, &key).await;
    });
}

/// Deletes an abandoned blob and its row. If the deletion fails, the sweep retries it. A blob that is in use is not
/// deleted: its upload failed only because the response to the commit was lost.
#[boxed]
pub async fn give_up(domain: &Domain, account_id: AccountId, key: &str) {
    let forgotten = async {
        if is_in_use(domain, account_id, key).await? {
            return Ok(());
        }
        domain.blobs().delete(key).await?;
        let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
        blob::delete_row(&mut transaction, key).await?;
        transaction.commit().await
    };
    if let Err(error) = forgotten.await
        && error.code != Code::NotFound
    {
        tracing::warn!(error = error.report(), "abandoned upload left to the sweep");
    }
}

/// Returns true if a blob is assigned to an item. Waits for a running commit of the account.
async fn is_in_use(domain: &Domain, account_id: AccountId, key: &str) -> Result<bool> {
    match LibraryTransaction::begin(domain, account_id).await {
        Ok(transaction) => blob::is_in_use(&transaction, key).await,
        // The account was deleted, and its items with it.
        Err(error) if error.code == Code::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Error for a file of at least `length` bytes if the plan allows only `limit` bytes.
pub(crate) fn too_large(limit: u64, length: u64) -> Error {
    let message = format!("A file of this account's plan has at most {limit} bytes.");
    let used = Used { limit, used: length, policy: None };
    Error::new(Code::PayloadTooLarge, message).limit(used)
}

/// Returns the type of a stored file.
///
/// # Errors
/// `unsupported_media_type` if it is not the declared type.
fn type_of(stored: &StoredBlob, declared: &str, name: &str) -> Result<DetectedType> {
    let detected = sniff::sniff(&stored.head, &stored.tail, declared, name);
    detected.map_err(|mismatch| disagreement(&mismatch))
}

fn disagreement(mismatch: &TypeMismatch) -> Error {
    let message = "The file is not of the type that was declared.";
    let reason = format!("declared={} found={}", mismatch.declared, mismatch.detected);
    Error::new(Code::UnsupportedMediaType, message).at("file", reason)
}

pub(super) async fn find(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    item_id: ItemId,
) -> Result<library_item::Model> {
    let query = library_item::Entity::owned_by(account_id).filter(library_item::Column::Id.eq(item_id));
    query.one(connection).await?.ok_or_else(|| not_found("item"))
}

/// Assigns the blob of a file to an item without a file, in an open transaction. The name and the media type of the
/// item are those that were declared for the file.
///
/// # Errors
/// `unsupported_media_type` if the file does not have the declared type; `storage_limit_reached` if the file does not
/// fit into the storage; `service_unavailable` if the upload was abandoned in the meantime.
pub(crate) async fn assign_first(
    transaction: &mut LibraryTransaction,
    item_id: ItemId,
    blob: &str,
    stored: &StoredBlob,
) -> Result<()> {
    let item = find(transaction.db(), transaction.account_id, item_id).await?;
    let name = name::clean(item.file_name.as_deref().unwrap_or_default());
    let kind = type_of(stored, item.mime_type.as_deref().unwrap_or_default(), &name)?;
    blob::assign_retained(transaction, blob, item_id).await?;
    assign(transaction, item, AssignedFile { blob, stored, kind: &kind, name }).await?;
    transaction.require_fit()
}

struct AssignedFile<'a> {
    blob: &'a str,
    stored: &'a StoredBlob,
    kind: &'a DetectedType,
    name: String,
}

/// Assigns the file to its item, and requests the text of the file if its format can have one. Otherwise, the item
/// retains its text.
async fn assign(
    transaction: &mut LibraryTransaction,
    item: library_item::Model,
    asset: AssignedFile<'_>,
) -> Result<library_item::Model> {
    let stamp = transaction.stamp(ObjectKind::Item, ObjectId::from(item.id.as_uuid()));
    let size = i64::try_from(asset.stored.size).unwrap_or(i64::MAX);
    let stored_bytes = item.stored_bytes - item.asset_size.unwrap_or(0) + size;
    transaction.count(item.stored_bytes, stored_bytes);
    let format = kind::format_of(asset.kind);
    let mut row = library_item::ActiveModel {
        id: Set(item.id),
        sequence: Set(stamp.sequence),
        updated_at: Set(stamp.updated_at),
        format: Set(format),
        mime_type: Set(Some(asset.kind.media_type.clone())),
        file_name: Set(Some(asset.name.clone())),
        asset_blob: Set(Some(asset.blob.to_owned())),
        asset_name: Set(Some(asset.name)),
        asset_mime: Set(Some(asset.kind.media_type.clone())),
        asset_size: Set(Some(size)),
        asset_checksum: Set(Some(asset.stored.checksum())),
        asset_at: Set(Some(transaction.now)),
        stored_bytes: Set(stored_bytes),
        ..Default::default()
    };
    let by_file = kind::content_kind_of(format);
    if let (Some(content_kind), false) = (by_file, item.kind_method == ClassificationMethod::User) {
        row.content_kind = Set(content_kind);
        row.kind_method = Set(ClassificationMethod::Mime);
        row.kind_confidence = Set(MIME_CONFIDENCE);
        row.kind_at = Set(transaction.now);
    }
    if asset.kind.format.is_some() {
        row.article_status = Set(ArticleStatus::Queued);
        row.ask = Set(item.ask + 1);
        row.ask_from = Set(Some(TextOrigin::File));
        row.next_try_at = Set(Some(transaction.now));
        row.lane = Set(Lane::Person);
        row.tries = Set(0);
    } else if item.content_hash.is_none() {
        row.article_status = Set(ArticleStatus::NotApplicable);
        row.ask = Set(item.ask + 1);
        row.ask_from = Set(None);
        row.next_try_at = Set(None);
    } else if item.ask_from == Some(TextOrigin::File) {
        // The text of the replaced file is no longer requested. The existing text is retained.
        row.article_status = Set(ArticleStatus::Ready);
        row.ask = Set(item.ask + 1);
        row.ask_from = Set(None);
        row.next_try_at = Set(None);
    }
    let row = row.update(transaction.db()).await?;
    rule_queue::release(transaction, row.id).await?;
    Ok(row)
}
