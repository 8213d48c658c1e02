//! The rows of blobs: what is in use, what is being written, and what goes when.

use entities::ids::{AccountId, ItemId};
use entities::library_blob;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use crate::Writing;
use kernel::blobs::{Blobs, Stored, Upload};
use kernel::clock::{DAY, HOUR, Millis};
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// How long an upload may take; what is not whole by then is given up.
pub(super) const UPLOAD_TIME: Millis = DAY;
/// How long a file lives that is replaced or deleted, for those who are downloading it.
pub(super) const LINGER: Millis = HOUR;

/// Notes a blob that is about to be written for an item, and keeps room free for it.
pub(super) async fn announce(
    writing: &mut Writing,
    blob: &str,
    item_id: ItemId,
    replaces: Option<String>,
    reserved: i64,
) -> Result<()> {
    writing.reserve(reserved).await?;
    let row = library_blob::ActiveModel {
        blob: Set(blob.to_owned()),
        account_id: Set(writing.account_id),
        item_id: Set(Some(item_id)),
        replaces: Set(replaces),
        reserved_bytes: Set(reserved),
        delete_at: Set(Some(writing.now + UPLOAD_TIME)),
    };
    library_blob::Entity::insert(row).exec_without_returning(writing.db()).await?;
    Ok(())
}

/// Whether a file of an item is just coming in.
pub async fn is_coming(writing: &Writing, item_id: ItemId) -> Result<bool> {
    let found = library_blob::Entity::owned_by(writing.account_id)
        .filter(library_blob::Column::ItemId.eq(item_id))
        .filter(library_blob::Column::DeleteAt.gt(writing.now));
    Ok(found.one(writing.db()).await?.is_some())
}

/// A blob is in use from now on; the room that was kept for it is its own. False when it was given up meanwhile.
pub(super) async fn settle(writing: &mut Writing, blob: &str) -> Result<bool> {
    let Some(row) = row(writing, blob).await? else { return Ok(false) };
    writing.reserve(-row.reserved_bytes).await?;
    library_blob::Entity::update_many()
        .set(library_blob::ActiveModel { reserved_bytes: Set(0), delete_at: Set(None), ..Default::default() })
        .filter(library_blob::Column::Blob.eq(blob))
        .exec(writing.db())
        .await?;
    Ok(true)
}

/// Forgets a blob that came to nothing, and gives its room back.
pub(super) async fn forget(writing: &mut Writing, blob: &str) -> Result<()> {
    if let Some(row) = row(writing, blob).await? {
        writing.reserve(-row.reserved_bytes).await?;
        library_blob::Entity::delete_many()
            .filter(library_blob::Column::Blob.eq(blob))
            .exec(writing.db())
            .await?;
    }
    Ok(())
}

async fn row(writing: &Writing, blob: &str) -> Result<Option<library_blob::Model>> {
    let found =
        library_blob::Entity::owned_by(writing.account_id).filter(library_blob::Column::Blob.eq(blob));
    Ok(found.one(writing.db()).await?)
}

/// Lets files go that no item has any more; those who are downloading them have a while to finish.
pub async fn release(writing: &Writing, blobs: &[String]) -> Result<()> {
    if blobs.is_empty() {
        return Ok(());
    }
    library_blob::Entity::update_many()
        .set(library_blob::ActiveModel { delete_at: Set(Some(writing.now + LINGER)), ..Default::default() })
        .filter(library_blob::Column::AccountId.eq(writing.account_id))
        .filter(library_blob::Column::Blob.is_in(blobs.to_vec()))
        .exec(writing.db())
        .await?;
    Ok(())
}

/// Begins to write a blob for something that is not written yet: it goes after `kept` unless that names it.
pub async fn begin_nameless(
    domain: &Domain,
    account_id: AccountId,
    kept: Millis,
) -> Result<(String, Upload)> {
    let blob = Blobs::key_of(account_id, domain.random());
    let row = library_blob::ActiveModel {
        blob: Set(blob.clone()),
        account_id: Set(account_id),
        item_id: Set(None),
        replaces: Set(None),
        reserved_bytes: Set(0),
        delete_at: Set(Some(domain.now() + kept)),
    };
    library_blob::Entity::insert(row).exec_without_returning(domain.db().write()).await?;
    let upload = domain.blobs().begin(&blob).await?;
    Ok((blob, upload))
}

/// Puts a file of this machine into the store, for something that is not written yet: it goes with the next day unless
/// that names it.
pub async fn store(domain: &Domain, account_id: AccountId, file: std::fs::File) -> Result<(String, Stored)> {
    let (blob, mut upload) = begin_nameless(domain, account_id, UPLOAD_TIME).await?;
    let mut file = tokio::fs::File::from_std(file);
    let mut piece = vec![0; 1024 * 1024];
    loop {
        match tokio::io::AsyncReadExt::read(&mut file, &mut piece).await.map_err(Error::internal)? {
            0 => return Ok((blob, upload.finish().await?)),
            count => upload.push(&piece[..count]).await?,
        }
    }
}

/// Deletes every file of an account that is gone.
///
/// # Errors
/// When the store does not answer.
pub async fn forget_account(domain: &Domain, account_id: &str) -> Result<u64> {
    let account_id = uuid::Uuid::parse_str(account_id).map_err(Error::internal)?;
    domain.blobs().delete_account(account_id.into()).await
}
