//! Folders that other users of the machine cannot read.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Creates the folder and its missing parents, accessible only to the current user. The mode of existing folders is not
/// changed.
///
/// # Errors
/// If the folder cannot be created.
pub fn create(folder: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
