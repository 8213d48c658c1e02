//! Adds the fingerprint of an item as an import last wrote it, so that the next import recognises the values
//! that a person has changed.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("library_item", "import_mark", "bigint")];

const DOWN: &[Part] = &[Part::NoColumn("library_item", "import_mark")];

online::online!(UP, DOWN);
