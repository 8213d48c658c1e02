//! Whole files in memory, for many small files at the same time. Each file is synced by its own task, and the names of
//! many files become durable with one sync of their folder.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path as FilePath, PathBuf};

use bytes::Bytes;
use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::upload::PART_BYTES;
use super::{Blobs, failed};
use crate::error::{Error, Result};

/// Maximum attempts to create a file whose folder is deleted at the same time, because it was empty.
const MAX_ATTEMPTS: usize = 4;

/// Complete file whose name is not durable before [`Blobs::sync`]. It may be lost if the machine fails until then.
#[derive(Debug)]
#[must_use = "the file may be lost before its name is synced"]
pub struct UnsyncedBlob {
    key: String,
}

impl UnsyncedBlob {
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl Blobs {
    /// Stores a whole file under `key`. Its bytes are durable, and its name is after [`sync`](Self::sync).
    ///
    /// # Errors
    /// `store_full`; `service_unavailable` if the store does not respond.
    pub async fn write(&self, key: String, bytes: Bytes) -> Result<UnsyncedBlob> {
        self.require_free_space()?;
        if let Some(folder) = &self.folder {
            let path = folder.join(&key);
            in_background(move || write_file(&path, &bytes)).await?;
        } else if bytes.len() <= PART_BYTES {
            self.store.put(&Path::from(key.as_str()), bytes.into()).await.map_err(failed)?;
        } else {
            let mut upload = self.begin(&key).await?;
            if let Err(error) = upload.push(&bytes).await {
                upload.abort().await;
                return Err(error);
            }
            upload.finish().await?;
        }
        Ok(UnsyncedBlob { key })
    }

    /// Makes the names of files durable, with one sync of each folder. Buckets need none.
    ///
    /// # Errors
    /// `service_unavailable` if a folder cannot be synced.
    pub async fn sync(&self, files: &[&UnsyncedBlob]) -> Result<()> {
        let Some(root) = &self.folder else { return Ok(()) };
        let folder_of = |file: &&UnsyncedBlob| root.join(&file.key).parent().map(FilePath::to_owned);
        let folders: BTreeSet<PathBuf> = files.iter().filter_map(folder_of).collect();
        if folders.is_empty() {
            return Ok(());
        }
        in_background(move || folders.iter().try_for_each(|folder| sync_folder(folder))).await
    }
}

/// Runs blocking file operations outside the runtime's own threads.
async fn in_background(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> Result<()> {
    let done = tokio::task::spawn_blocking(work).await.map_err(Error::internal)?;
    done.map_err(|error| failed(object_store::Error::Generic { store: "folder", source: Box::new(error) }))
}

/// Writes a file to a temporary name, syncs it, and moves it to its name.
fn write_file(path: &FilePath, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push("#1");
    let unfinished = PathBuf::from(unfinished);
    let mut file = create_file(&unfinished)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let moved = written.and_then(|()| std::fs::rename(&unfinished, path));
    if moved.is_err() {
        // If this fails, the sweep deletes the unfinished file.
        let _ = std::fs::remove_file(&unfinished);
    }
    moved
}

/// Creates a file, and its folder if it is missing.
fn create_file(path: &FilePath) -> io::Result<File> {
    let mut attempts = 1;
    loop {
        match File::options().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && attempts < MAX_ATTEMPTS => {
                attempts += 1;
                create_folder(path)?;
            }
            created => return created,
        }
    }
}

/// Creates the folder of a file, which is in a folder of the store, and makes its name durable.
fn create_folder(file: &FilePath) -> io::Result<()> {
    let Some(folder) = file.parent() else { return Ok(()) };
    crate::private_folder::create(folder)?;
    folder.ancestors().skip(1).take(2).try_for_each(sync_folder)
}

fn sync_folder(folder: &FilePath) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
