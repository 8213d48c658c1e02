//! Items of one kind are found without reading those of all others. The shelf stands in the index as well: a kind of which
//! there are many on another shelf is gone through there.

use crate::online::{self, Part};

const UP: &[Part] =
    &[Part::Index("library_item_kind", "library_item", "(account_id, content_kind, saved_at, id, status)")];

const DOWN: &[Part] = &[Part::NoIndex("library_item_kind")];

online::online!(UP, DOWN);
