//! Download of item files.

use async_recursion::async_recursion as boxed;
use std::ops::Range;

use bytes::Bytes;
use entities::ids::{AccountId, ItemId};
use futures_util::stream::BoxStream;

use super::upload::find;
use kernel::error::not_found;
use kernel::{Domain, Millis, Result};

/// File of an item. After it is replaced or deleted, its bytes remain readable for a short time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub name: String,
    pub media_type: String,
    /// Size in bytes.
    pub size: u64,
    /// `sha256:` and the digest in hexadecimal.
    pub checksum: String,
    /// Time of the upload.
    pub put_at: Millis,
    blob: String,
}

/// Checks that the account has the item.
///
/// # Errors
/// `not_found` if the account does not have the item.
#[boxed]
pub async fn require_item(domain: &Domain, account_id: AccountId, item_id: ItemId) -> Result<()> {
    find(domain.db().read(), account_id, item_id).await.map(drop)
}

/// Opens the file of an item.
///
/// # Errors
/// `not_found` if the item does not exist or has no file.
#[boxed]
pub async fn open_file(domain: &Domain, account_id: AccountId, item_id: ItemId) -> Result<File> {
    let item = find(domain.db().read(), account_id, item_id).await?;
    let known = (item.asset_blob, item.asset_name, item.asset_mime, item.asset_size, item.asset_checksum);
    let (Some(blob), Some(name), Some(media_type), Some(size), Some(checksum)) = known else {
        return Err(not_found("file"));
    };
    let (size, put_at) = (size.max(0).unsigned_abs(), item.asset_at.unwrap_or(item.saved_at));
    Ok(File { name, media_type, size, checksum, put_at, blob })
}

impl File {
    /// Describes a file that is stored under the key `blob`.
    pub(crate) fn of_blob(
        blob: String,
        name: String,
        media_type: &str,
        (size, checksum): (u64, String),
        put_at: Millis,
    ) -> Self {
        Self { name, media_type: media_type.to_owned(), size, checksum, put_at, blob }
    }

    /// Streams the bytes in `range`.
    ///
    /// # Errors
    /// `service_unavailable` if the blob store does not respond.
    #[boxed]
    pub async fn read(
        &self,
        domain: &Domain,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, std::io::Result<Bytes>>> {
        domain.blobs().read(&self.blob, range).await
    }
}
