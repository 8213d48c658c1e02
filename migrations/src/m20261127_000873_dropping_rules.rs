//! Rules that drop entries: the number of dropped entries, and the time at which such a rule was deleted. The
//! row of a deleted rule remains, because the dropped entries stay hidden.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("rss_rule", "dropped", "bigint NOT NULL DEFAULT 0"),
    Part::Column("rss_rule", "deleted_at", "bigint"),
];

const DOWN: &[Part] = &[Part::NoColumn("rss_rule", "deleted_at"), Part::NoColumn("rss_rule", "dropped")];

online::online!(UP, DOWN);
