//! Where files are kept: a folder, a bucket, or memory in tests. Each lies under a key that nobody can guess, in a folder of
//! its account; what it is and whose stands in the database alone.
//!
//! A file is seen under its key only when it is whole: it is written aside and moved there at its end.

mod location;
mod signing;
mod upload;

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

pub use self::location::{Location, LocationError};
pub use self::upload::{Stored, Upload};
use crate::error::{Error, Result};

/// The folder that has a folder for each account.
pub const ACCOUNTS: &str = "account";

/// The store of files. Clones share it.
#[derive(Clone, Debug)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    /// The folder, where it is one: what was written aside is found by its files alone.
    folder: Option<PathBuf>,
}

/// A file in the store that nobody may know.
pub struct Found {
    /// Its key.
    pub key: String,
    /// Since when it is there, in milliseconds since 1970.
    pub since: i64,
}

impl Default for Blobs {
    /// A store in memory, for tests and for what keeps no files.
    fn default() -> Self {
        Self { store: Arc::new(object_store::memory::InMemory::new()), folder: None }
    }
}

impl Blobs {
    /// The key in the account's folder that these random bytes make.
    pub fn key_of(account_id: AccountId, random: [u8; 20]) -> String {
        let random = BASE32_NOPAD.encode(&random).to_lowercase();
        format!("{}/{random}", folder_of(account_id))
    }

    /// Begins a file under `key`.
    pub async fn begin(&self, key: &str) -> Result<Upload> {
        let writer = self.store.put_multipart(&Path::from(key)).await.map_err(failed)?;
        Ok(Upload::new(writer))
    }

    /// Bytes of a file, as they are asked for.
    ///
    /// # Errors
    /// When the store does not have it, or does not answer.
    pub async fn read(
        &self,
        key: &str,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, std::io::Result<Bytes>>> {
        if range.is_empty() {
            return Ok(futures_util::stream::empty().boxed());
        }
        let options = GetOptions::new().with_range(Some(range));
        let found = self.store.get_opts(&Path::from(key), options).await.map_err(failed)?;
        Ok(found.into_stream().map_err(std::io::Error::other).boxed())
    }

    /// A whole file.
    pub async fn read_all(&self, key: &str) -> Result<Bytes> {
        let found = self.store.get(&Path::from(key)).await.map_err(failed)?;
        found.bytes().await.map_err(failed)
    }

    /// Deletes a file; one that is gone already is no fault.
    pub async fn delete(&self, key: &str) -> Result<()> {
        match self.store.delete(&Path::from(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    /// Deletes every file of an account.
    pub async fn delete_account(&self, account_id: AccountId) -> Result<u64> {
        let folder = Path::from(folder_of(account_id));
        let mut found = self.store.list(Some(&folder));
        let mut deleted = 0;
        while let Some(file) = found.try_next().await.map_err(failed)? {
            self.delete(file.location.as_ref()).await?;
            deleted += 1;
        }
        Ok(deleted)
    }

    /// Every file in a folder of the store, and in those within it.
    pub fn list(&self, folder: &str) -> BoxStream<'static, Result<Found>> {
        let files = self.store.list(Some(&Path::from(folder))).map_err(failed);
        files
            .map_ok(|file| Found {
                key: file.location.to_string(),
                since: file.last_modified.timestamp_millis(),
            })
            .boxed()
    }

    /// Deletes what was written aside and never came to its end, where it is older than `age`; returns how many.
    #[expect(
        clippy::disallowed_methods,
        reason = "times of files are the machine's, whatever the domain's clock says"
    )]
    pub async fn delete_unfinished(&self, age: Duration) -> Result<u64> {
        let Some(folder) = self.folder.clone() else { return Ok(0) };
        let work = move || delete_aside(&folder, SystemTime::now().checked_sub(age));
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)?.map_err(Error::internal)
    }
}

fn folder_of(account_id: AccountId) -> String {
    format!("{ACCOUNTS}/{account_id}")
}

/// Files that are written aside have the mark of it in their names, which no key has.
fn delete_aside(folder: &std::path::Path, before: Option<SystemTime>) -> std::io::Result<u64> {
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

/// What the store says is for the log alone.
fn failed(error: object_store::Error) -> Error {
    tracing::warn!(%error, "the store of files does not answer as it should");
    let message = "Files cannot be read or written at the moment.";
    let known = Error::new(crate::code::Code::ServiceUnavailable, message).retry_after(5);
    Error { source: Some(Box::new(error)), ..known }
}

#[cfg(test)]
mod tests;
