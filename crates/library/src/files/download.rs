//! A file goes out.

use std::ops::Range;

use bytes::Bytes;
use entities::ids::{AccountId, ItemId};
use futures_util::stream::BoxStream;

use super::upload::find;
use kernel::clock::Millis;
use kernel::error::{Result, not_found};
use kernel::handle::Domain;

/// An item's file. Its bytes stay readable for a while when it is replaced or deleted meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// What it is called.
    pub name: String,
    /// Its media type.
    pub media_type: String,
    /// Its bytes.
    pub size: u64,
    /// `sha256:` and the digest as hex.
    pub checksum: String,
    /// When it was put there.
    pub put_at: Millis,
    blob: String,
}

/// Whether there is such an item.
///
/// # Errors
/// `not_found`.
pub async fn require_item(domain: &Domain, account_id: AccountId, item_id: ItemId) -> Result<()> {
    find(domain.db().read(), account_id, item_id).await.map(drop)
}

/// The file of an item.
///
/// # Errors
/// `not_found` when there is no such item, or it has none.
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
    /// A file that lies in the store under `blob`.
    pub(crate) fn of_blob(
        blob: String,
        name: String,
        media_type: &str,
        (size, checksum): (u64, String),
        put_at: Millis,
    ) -> Self {
        Self { name, media_type: media_type.to_owned(), size, checksum, put_at, blob }
    }

    /// Its bytes in `range`, as they are asked for.
    ///
    /// # Errors
    /// `service_unavailable` when the store does not answer.
    pub async fn read(
        &self,
        domain: &Domain,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, std::io::Result<Bytes>>> {
        domain.blobs().read(&self.blob, range).await
    }
}
