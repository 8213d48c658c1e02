//! Index of items whose texts are due, in processing order, with their due time: items that wait for a retry
//! are skipped without reading their rows.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Index(
        "library_item_waiting_times",
        "library_item",
        "(lane, saved_at DESC, next_try_at) WHERE next_try_at IS NOT NULL",
    ),
    Part::NoIndex("library_item_waiting"),
];

const DOWN: &[Part] = &[
    Part::Index(
        "library_item_waiting",
        "library_item",
        "(lane, saved_at DESC) WHERE next_try_at IS NOT NULL",
    ),
    Part::NoIndex("library_item_waiting_times"),
];

online::online!(UP, DOWN);
