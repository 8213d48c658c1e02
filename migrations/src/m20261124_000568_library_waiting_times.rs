//! Items whose texts are due, in the order in which they are made, with when they are: those that wait for another try are
//! passed over without a look at their rows.

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
