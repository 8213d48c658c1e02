//! Choice of whether the page of a read job or of an item is rendered in a browser. Null for the default.

use crate::online::{self, Part};

const UP: &[Part] =
    &[Part::Column("read_job", "render", "text"), Part::Column("library_item", "render", "text")];

const DOWN: &[Part] = &[Part::NoColumn("library_item", "render"), Part::NoColumn("read_job", "render")];

online::online!(UP, DOWN);
