//! Hash of the text of an entry, by which it is recognised if its title, time or address changes. Number of
//! entries that the last body of a feed had beyond the limit; null until one was compared with all entries.

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
