//! Cards of highlights for reviews.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("library_highlight", "card", "text")];

const DOWN: &[Part] = &[Part::NoColumn("library_highlight", "card")];

online::online!(UP, DOWN);
