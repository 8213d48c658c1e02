//! Storage of whole files from memory, for many small files at the same time. Each file is synced on its own. Files
//! that are written to the same folder at the same time share the sync of the folder.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path as FilePath, PathBuf};

use bytes::Bytes;
use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::folder_syncs::{in_background, sync_parents};
use super::upload::PART_BYTES;
use super::{Blobs, failed};
use crate::error::{Error, Result};

/// Maximum number of attempts to create a file if its empty folder is deleted at the same time.
const MAX_ATTEMPTS: usize = 4;

impl Blobs {
    /// Stores a whole file under `key`. It is durable when this returns.
    ///
    /// # Errors
    /// `store_full`; `service_unavailable` if the store does not respond.
    pub async fn write(&self, key: &str, bytes: Bytes) -> Result<()> {
        self.require_free_space()?;
        if let Some(root) = &self.folder {
            return self.write_in_folder(root.join(key), bytes).await.map_err(failed_in_folder);
        }
        if bytes.len() <= PART_BYTES {
            self.store.put(&Path::from(key), bytes.into()).await.map_err(failed)?;
            return Ok(());
        }
        let mut upload = self.begin(key).await?;
        if let Err(error) = upload.push(&bytes).await {
            upload.abort().await;
            return Err(error);
        }
        upload.finish().await.map(drop)
    }

    async fn write_in_folder(&self, path: PathBuf, bytes: Bytes) -> io::Result<()> {
        let folder = path.parent().map(FilePath::to_owned);
        in_background(move || write_file(&path, &bytes)).await?;
        match folder {
            Some(folder) => self.folder_syncs.sync(&folder).await,
            None => Ok(()),
        }
    }
}

fn failed_in_folder(error: io::Error) -> Error {
    failed(object_store::Error::Generic { store: "folder", source: Box::new(error) })
}

/// Writes a file to a temporary name, syncs it, and moves it to its name.
fn write_file(path: &FilePath, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push("#1");
    let unfinished = PathBuf::from(unfinished);
    let mut file = create_file(&unfinished)?;
    let write_result = file.write_all(bytes).and_then(|()| file.sync_all());
    let result = write_result.and_then(|()| std::fs::rename(&unfinished, path));
    if result.is_err() {
        // If this fails, the sweep deletes the unfinished file.
        let _ = std::fs::remove_file(&unfinished);
    }
    result
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

/// Creates the folder of a file, and makes the name of the folder durable.
fn create_folder(file: &FilePath) -> io::Result<()> {
    let Some(folder) = file.parent() else { return Ok(()) };
    crate::private_folder::create(folder)?;
    sync_parents(folder)
}
