//! Syncs of folders (group commit): files whose names must become durable at the same time share one sync of their
//! folder. The first sync of a folder includes its parents, because another task or process may have created the folder
//! without having synced its name yet.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use futures_util::future::BoxFuture;

use crate::batcher::KeyedBatcher;

/// Maximum number of files that share a sync.
const MAX_BATCH: usize = 256;

/// Maximum number of folders in the cache of durable folders.
const MAX_FOLDERS: usize = 4096;

/// Syncs of folders. Clones share them.
#[derive(Clone)]
pub(super) struct FolderSyncs {
    batches: Arc<KeyedBatcher<PathBuf, (), io::Result<()>>>,
    durable: DurableFolders,
}

impl Default for FolderSyncs {
    fn default() -> Self {
        Self { batches: Arc::new(KeyedBatcher::new(MAX_BATCH)), durable: DurableFolders::default() }
    }
}

impl fmt::Debug for FolderSyncs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FolderSyncs").finish_non_exhaustive()
    }
}

impl FolderSyncs {
    /// Makes the names of the files in a folder durable, by a sync that begins after this call. The folder is two
    /// levels below the folder of the store.
    pub(super) async fn sync(&self, folder: &Path) -> io::Result<()> {
        let folder = folder.to_owned();
        let context = (folder.clone(), self.durable.clone());
        let synced = self.batches.add(folder, &context, (), sync_batch);
        synced.await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

fn sync_batch(
    (folder, durable): (PathBuf, DurableFolders),
    files: Vec<()>,
) -> BoxFuture<'static, Vec<io::Result<()>>> {
    Box::pin(async move {
        let synced = in_background(move || durable.sync(&folder).map(drop)).await;
        let result_of = |()| match &synced {
            Ok(()) => Ok(()),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        files.into_iter().map(result_of).collect()
    })
}

/// Folders whose names are durable. Clones share them.
#[derive(Clone, Default)]
struct DurableFolders(Arc<Mutex<HashMap<PathBuf, FolderId>>>);

/// Device, inode, and creation time of a folder, which differ if the folder was deleted and created again.
type FolderId = (u64, u64, SystemTime);

impl DurableFolders {
    /// Syncs a folder, and its parents unless its name is durable. Returns true if the parents were synced.
    fn sync(&self, folder: &Path) -> io::Result<bool> {
        let opened = File::open(folder)?;
        opened.sync_all()?;
        let id = id_of(&opened);
        if id.is_some() && self.lock().get(folder).copied() == id {
            return Ok(false);
        }
        sync_parents(folder)?;
        let mut durable = self.lock();
        if durable.len() >= MAX_FOLDERS {
            durable.clear();
        }
        durable.extend(id.map(|id| (folder.to_owned(), id)));
        Ok(true)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, FolderId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the identity of a folder. `None` if the file system does not record creation times.
fn id_of(folder: &File) -> Option<FolderId> {
    let about = folder.metadata().ok()?;
    Some((about.dev(), about.ino(), about.created().ok()?))
}

/// Makes the names of a folder and of its parent durable.
pub(super) fn sync_parents(folder: &Path) -> io::Result<()> {
    folder.ancestors().skip(1).take(2).try_for_each(|parent| File::open(parent)?.sync_all())
}

/// Runs blocking file operations on threads for blocking work.
pub(super) async fn in_background(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> io::Result<()> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_synced_with_the_first_sync_of_a_folder() {
        let store = tempfile::tempdir().unwrap();
        let durable = DurableFolders::default();
        let folders = ["one", "two"].map(|name| store.path().join("account").join(name));
        for folder in &folders {
            std::fs::create_dir_all(folder).unwrap();
            assert!(durable.sync(folder).unwrap(), "another task may have created {}", folder.display());
        }
        let has_creation_times = id_of(&File::open(store.path()).unwrap()).is_some();
        assert_eq!(durable.sync(&folders[0]).unwrap(), !has_creation_times);
        std::fs::rename(&folders[1], store.path().join("moved")).unwrap();
        std::fs::rename(&folders[0], &folders[1]).unwrap();
        assert!(durable.sync(&folders[1]).unwrap(), "it is another folder with a known name");
        assert!(durable.sync(&folders[0]).is_err(), "a missing folder is an error");
    }
}
