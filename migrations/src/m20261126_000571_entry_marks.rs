//! Adds the hash of an entry's text, by which the entry is recognised if its title, time or address changes.
//! Also adds the number of entries that the last body of a feed had beyond the limit; null until a body was
//! compared with all entries.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("feed_entry", "mark_text", "bigint NOT NULL DEFAULT 0"),
    Part::Column("feed_dropped_entry", "mark_text", "bigint NOT NULL DEFAULT 0"),
    Part::Column("feed", "left_out", "integer"),
];

const DOWN: &[Part] = &[
    Part::NoColumn("feed", "left_out"),
    Part::NoColumn("feed_dropped_entry", "mark_text"),
    Part::NoColumn("feed_entry", "mark_text"),
];

online::online!(UP, DOWN);
