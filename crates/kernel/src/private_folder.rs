//! Folders that other users of the machine get at nothing in.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Makes the folder, and those it stands in, where they are missing, for nobody but us. What is there already keeps the
/// mode that an operator gave it.
///
/// # Errors
/// When it cannot be made.
pub fn create(folder: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
