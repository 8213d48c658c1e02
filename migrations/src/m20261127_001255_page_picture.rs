//! Pictures of pages on which a person chooses the part to watch, stored with previews.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("monitor_preview", "picture", "{bytes}"),
    Part::Index(
        "monitor_preview_picture",
        "monitor_preview",
        "(account_id, made_at) WHERE picture IS NOT NULL",
    ),
];

const DOWN: &[Part] =
    &[Part::NoIndex("monitor_preview_picture"), Part::NoColumn("monitor_preview", "picture")];

online::online!(UP, DOWN);
