//! Beginning and first picture of an item's text, which lists display. Null for texts that were stored before
//! this migration.

use crate::online::{self, Part};

const UP: &[Part] =
    &[Part::Column("library_text", "excerpt", "text"), Part::Column("library_text", "picture_url", "text")];

const DOWN: &[Part] =
    &[Part::NoColumn("library_text", "picture_url"), Part::NoColumn("library_text", "excerpt")];

online::online!(UP, DOWN);
