//! Profile of a browser: a temporary folder that is locked by the process that owns it. Profiles whose owner was killed
//! are removed before the next browser starts.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;
use rustix::process::getuid;
use tempfile::TempDir;

/// User id and group id without any rights, for the browser if this process is root.
pub(crate) const UNPRIVILEGED: u32 = 65_534;
/// Prefix of the folders' names.
const PREFIX: &str = "carrel-browser-";
/// Name of the locked file in a profile.
const LOCK_NAME: &str = "carrel.lock";
/// Minimum age of a profile without a lock that is removed. A younger one may be about to be locked.
const UNLOCKED_AGE: Duration = Duration::from_mins(1);

/// Profile that belongs to this process. Dropping it gives up the lock and does not remove the folder.
pub(crate) struct Profile {
    path: PathBuf,
    _lock: File,
}

impl Profile {
    /// Creates a profile in the folder for temporary files, writable for the user of the browser.
    pub(crate) fn create() -> io::Result<Self> {
        remove_abandoned(&std::env::temp_dir());
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let lock = File::create_new(folder.path().join(LOCK_NAME))?;
        lock.lock()?;
        if getuid().is_root() {
            std::os::unix::fs::chown(folder.path(), Some(UNPRIVILEGED), Some(UNPRIVILEGED))?;
        }
        Ok(Self { path: TempDir::keep(folder), _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Removes the profiles of this user in `folder` whose owner has exited.
fn remove_abandoned(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX)
            && is_abandoned(&entry.path()).unwrap_or(false)
        {
            // The shell of the browser may be removing it at the same time.
            std::fs::remove_dir_all(entry.path()).ok();
        }
    }
}

fn is_abandoned(profile: &Path) -> io::Result<bool> {
    let folder = profile.symlink_metadata()?;
    let user = getuid();
    let is_own = folder.uid() == user.as_raw() || (user.is_root() && folder.uid() == UNPRIVILEGED);
    if !folder.is_dir() || !is_own {
        return Ok(false);
    }
    // A browser may have replaced the file by a link or a pipe.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    match OpenOptions::new().read(true).custom_flags(flags).open(profile.join(LOCK_NAME)) {
        Ok(lock) => match lock.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        },
        Err(_) => Ok(folder.modified()?.elapsed().is_ok_and(|age| age > UNLOCKED_AGE)),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn only_profiles_without_an_owner_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let create = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).unwrap();
            path
        };
        let [owned, abandoned, new, other] =
            ["carrel-browser-1", "carrel-browser-2", "carrel-browser-3", "other"].map(create);
        let lock = File::create_new(owned.join(LOCK_NAME)).unwrap();
        lock.lock().unwrap();
        drop(File::create_new(abandoned.join(LOCK_NAME)).unwrap());
        remove_abandoned(folder.path());
        assert_eq!([&owned, &abandoned, &new, &other].map(|path| path.exists()), [true, false, true, true]);
        drop(lock);
        remove_abandoned(folder.path());
        assert_eq!([&owned, &new].map(|path| path.exists()), [false, true]);
    }
}
