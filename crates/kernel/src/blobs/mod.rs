//! Blob store for files: a folder, a bucket, or memory in tests. Each file has an unguessable key in the folder of its
//! account; its purpose and owner are recorded only in the database.
//!
//! A file becomes visible under its key only when it is complete: it is written to a temporary name and moved
//! at the end.

mod folder_syncs;
mod location;
mod signing;
mod upload;
mod whole_file;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use data_encoding::BASE32_NOPAD;
use entities::ids::AccountId;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{GetOptions, ObjectStore, ObjectStoreExt};

use self::folder_syncs::FolderSyncs;
pub use self::location::{Location, LocationError};
pub use self::upload::{StoredBlob, Upload};
use crate::error::{Error, Result};

/// Top-level folder for the files of items and uploads. It contains one folder per account.
pub const ACCOUNTS: &str = "account";
/// Top-level folder for the screenshots of monitors. It contains one folder per account.
pub const MONITORS: &str = "monitor";

/// Handle of the store. Clones share it.
#[derive(Clone, Debug)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    /// Folder of the store. `None` if the store is not a folder. Unfinished files are listed through this path,
    /// because the store's interface does not list them.
    folder: Option<PathBuf>,
    /// Number of free bytes on the disk below which uploads are refused.
    min_free_bytes: u64,
    folder_syncs: FolderSyncs,
}

/// Entry of a file in a listing. The database may not refer to the file.
pub struct BlobEntry {
    pub key: String,
    /// Time of the last modification, in milliseconds since 1970.
    pub since: i64,
    /// Size in bytes.
    pub size: u64,
}

impl Default for Blobs {
    /// Creates a store in memory, for tests and for processes that store no files.
    fn default() -> Self {
        Self::of(Arc::new(object_store::memory::InMemory::new()), None)
    }
}

impl Blobs {
    /// Creates the handle of a store. `folder` is the folder of the store, if it is a folder.
    fn of(store: Arc<dyn ObjectStore>, folder: Option<PathBuf>) -> Self {
        Self { store, folder, min_free_bytes: 0, folder_syncs: FolderSyncs::default() }
    }

    /// Key in the account's folder, made from random bytes.
    pub fn key_of(account_id: AccountId, random: [u8; 20]) -> String {
        key_in(ACCOUNTS, account_id, random)
    }

    /// Key of a screenshot in the account's folder of screenshots, made from random bytes.
    pub fn screenshot_key_of(account_id: AccountId, random: [u8; 20]) -> String {
        key_in(MONITORS, account_id, random)
    }

    /// Refuses uploads while the disk has fewer than `bytes` free bytes. Buckets are not checked.
    #[must_use]
    pub fn with_min_free_bytes(self, bytes: u64) -> Self {
        Self { min_free_bytes: bytes, ..self }
    }

    /// Starts an upload to `key`.
    ///
    /// # Errors
    /// `store_full`; `service_unavailable` if the store does not respond.
    pub async fn begin(&self, key: &str) -> Result<Upload> {
        self.require_free_space()?;
        let writer = self.store.put_multipart(&Path::from(key)).await.map_err(failed)?;
        Ok(Upload::new(writer))
    }

    fn require_free_space(&self) -> Result<()> {
        let Some(folder) = self.folder.as_ref().filter(|_| self.min_free_bytes > 0) else { return Ok(()) };
        let disk = rustix::fs::statvfs(folder).map_err(Error::internal)?;
        if disk.f_bavail.saturating_mul(disk.f_frsize) < self.min_free_bytes {
            tracing::warn!("upload refused: the disk has less free space than CARREL_FILES_MIN_FREE_MB");
            return Err(store_full());
        }
        Ok(())
    }

    /// Streams a byte range of a file.
    ///
    /// # Errors
    /// If the file does not exist, or the store does not respond.
    pub async fn read(
        &self,
        key: &str,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, std::io::Result<Bytes>>> {
        if range.is_empty() {
            return Ok(futures_util::stream::empty().boxed());
        }
        let options = GetOptions::new().with_range(Some(range));
        let object = self.store.get_opts(&Path::from(key), options).await.map_err(failed)?;
        Ok(object.into_stream().map_err(std::io::Error::other).boxed())
    }

    /// Reads a whole file.
    pub async fn read_all(&self, key: &str) -> Result<Bytes> {
        let object = self.store.get(&Path::from(key)).await.map_err(failed)?;
        object.bytes().await.map_err(failed)
    }

    /// Size of a file in bytes; `None` if it does not exist.
    pub async fn size(&self, key: &str) -> Result<Option<u64>> {
        match self.store.head(&Path::from(key)).await {
            Ok(file) => Ok(Some(file.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Deletes a file. Succeeds if it does not exist.
    pub async fn delete(&self, key: &str) -> Result<()> {
        match self.store.delete(&Path::from(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    /// Deletes every file of an account. Returns their number.
    pub async fn delete_account(&self, account_id: AccountId) -> Result<u64> {
        let mut deleted = 0;
        for folder in [ACCOUNTS, MONITORS] {
            let folder = Path::from(folder_of(folder, account_id));
            let mut objects = self.store.list(Some(&folder));
            while let Some(file) = objects.try_next().await.map_err(failed)? {
                self.delete(file.location.as_ref()).await?;
                deleted += 1;
            }
        }
        Ok(deleted)
    }

    /// Lists every file in a folder of the store, including subfolders.
    pub fn list(&self, folder: &str) -> BoxStream<'static, Result<BlobEntry>> {
        let files = self.store.list(Some(&Path::from(folder))).map_err(failed);
        files
            .map_ok(|file| BlobEntry {
                key: file.location.to_string(),
                since: file.last_modified.timestamp_millis(),
                size: file.size,
            })
            .boxed()
    }

    /// Deletes unfinished files older than `age`. Returns their number.
    #[expect(
        clippy::disallowed_methods,
        reason = "file times are from the machine's clock, not from the domain's clock"
    )]
    pub async fn delete_unfinished(&self, age: Duration) -> Result<u64> {
        let Some(folder) = self.folder.clone() else { return Ok(0) };
        let work = move || delete_unfinished_files(&folder, SystemTime::now().checked_sub(age));
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)?.map_err(Error::internal)
    }
}

fn folder_of(top: &str, account_id: AccountId) -> String {
    format!("{top}/{account_id}")
}

fn key_in(top: &str, account_id: AccountId, random: [u8; 20]) -> String {
    let random = BASE32_NOPAD.encode(&random).to_lowercase();
    format!("{}/{random}", folder_of(top, account_id))
}

/// Deletes unfinished files last modified before `before`. They have a `#` in their names, which no key contains.
fn delete_unfinished_files(folder: &std::path::Path, before: Option<SystemTime>) -> std::io::Result<u64> {
    let mut deleted = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let about = entry.metadata()?;
            if about.is_dir() {
                folders.push(entry.path());
            } else if entry.file_name().to_string_lossy().contains('#')
                && before.is_some_and(|before| about.modified().is_ok_and(|at| at < before))
            {
                std::fs::remove_file(entry.path())?;
                deleted += 1;
            }
        }
    }
    Ok(deleted)
}

fn store_full() -> Error {
    Error::new(crate::code::Code::StoreFull, "There is no space for files at the moment.")
}

/// True if an error was caused by a full disk or by a quota of the disk.
fn is_disk_full(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        if matches!(kind, Some(std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)) {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Logs the error of the store, and returns a generic error for callers.
fn failed(error: object_store::Error) -> Error {
    tracing::warn!(%error, "blob store failed");
    if is_disk_full(&error) {
        return Error { source: Some(Box::new(error)), ..store_full() };
    }
    let message = "Files cannot be read or written at the moment.";
    let public_error = Error::new(crate::code::Code::ServiceUnavailable, message).retry_after(5);
    Error { source: Some(Box::new(error)), ..public_error }
}

#[cfg(test)]
mod tests;
