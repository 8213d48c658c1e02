//! Syncs of folders (group commit): files whose names are to become durable at the same time share the sync of their
//! folder.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::batcher::KeyedBatcher;

/// Maximum number of files that share a sync.
const MAX_BATCH: usize = 256;

/// Syncs of folders. Clones share them.
#[derive(Clone)]
pub(super) struct FolderSyncs(Arc<KeyedBatcher<PathBuf, (), io::Result<()>>>);

impl Default for FolderSyncs {
    fn default() -> Self {
        Self(Arc::new(KeyedBatcher::new(MAX_BATCH)))
    }
}

impl fmt::Debug for FolderSyncs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FolderSyncs").finish_non_exhaustive()
    }
}

impl FolderSyncs {
    /// Makes the names of the files of a folder durable, with a sync that begins after this call.
    pub(super) async fn sync(&self, folder: &Path) -> io::Result<()> {
        let folder = folder.to_owned();
        let synced = self.0.add(folder.clone(), &folder, (), sync_batch);
        synced.await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

fn sync_batch(folder: PathBuf, files: Vec<()>) -> BoxFuture<'static, Vec<io::Result<()>>> {
    Box::pin(async move {
        let synced = in_background(move || sync_folder(&folder)).await;
        let result_of = |()| match &synced {
            Ok(()) => Ok(()),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        files.into_iter().map(result_of).collect()
    })
}

/// Runs blocking file operations outside the runtime's own threads.
pub(super) async fn in_background(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> io::Result<()> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
