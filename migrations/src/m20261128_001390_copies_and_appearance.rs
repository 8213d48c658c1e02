//! Automatic copies of pages, and the appearance of an account's pages.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("library_account", "copy_formats", "text NOT NULL DEFAULT ''"),
    Part::Column("library_page_copy", "is_automatic", "boolean NOT NULL DEFAULT FALSE"),
    Part::Column("account", "appearance", "text"),
];

const DOWN: &[Part] = &[
    Part::NoColumn("account", "appearance"),
    Part::NoColumn("library_page_copy", "is_automatic"),
    Part::NoColumn("library_account", "copy_formats"),
];

online::online!(UP, DOWN);
