//! Index to find items of one kind without reading all others. Includes the status, so that items with
//! another status are filtered within the index.

use crate::online::{self, Part};

const UP: &[Part] =
    &[Part::Index("library_item_kind", "library_item", "(account_id, content_kind, saved_at, id, status)")];

const DOWN: &[Part] = &[Part::NoIndex("library_item_kind")];

online::online!(UP, DOWN);
