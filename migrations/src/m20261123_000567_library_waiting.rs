//! Index of items whose texts are due, in processing order.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Index(
    "library_item_waiting",
    "library_item",
    "(lane, saved_at DESC) WHERE next_try_at IS NOT NULL",
)];

const DOWN: &[Part] = &[Part::NoIndex("library_item_waiting")];

online::online!(UP, DOWN);
