//! Index of the sizes of items' texts, for searches by size.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Index("library_text_size", "library_text", "(account_id, item_id, text_bytes)")];

const DOWN: &[Part] = &[Part::NoIndex("library_text_size")];

online::online!(UP, DOWN);
