//! Adds the setting that determines how an import converts folders to tags.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("library_import", "folders", "text NOT NULL DEFAULT 'ignore'")];

const DOWN: &[Part] = &[Part::NoColumn("library_import", "folders")];

online::online!(UP, DOWN);
