//! Counts of the objects of an account export that do not belong to the library.

use entities::library_words::ImportedPartKind;
use serde::{Deserialize, Serialize};

/// Objects of one kind in an import of an account export, other than those of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedPart {
    pub kind: ImportedPartKind,
    /// Number of objects of the export that the account has after the import, whether or not they existed before.
    pub imported: u64,
    /// Number of objects that could not be imported.
    pub failed: u64,
}
