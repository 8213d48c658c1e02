//! Frequency with which the highlights of an item are reviewed.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("library_item", "review_frequency", "text NOT NULL DEFAULT 'normal'"),
    Part::Index(
        "library_item_review_frequency",
        "library_item",
        "(account_id, id) WHERE review_frequency <> 'normal'",
    ),
];

const DOWN: &[Part] =
    &[Part::NoIndex("library_item_review_frequency"), Part::NoColumn("library_item", "review_frequency")];

online::online!(UP, DOWN);
