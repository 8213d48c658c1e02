//! Rules that rewrite the entries of a feed that a single account follows.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("feed_login", "rewrites", "text"),
    Part::Column("feed_login", "rewrites_stopped_at", "bigint"),
    Part::Column("feed_login", "rewrites_skipped", "integer NOT NULL DEFAULT 0"),
];

const DOWN: &[Part] = &[
    Part::NoColumn("feed_login", "rewrites_skipped"),
    Part::NoColumn("feed_login", "rewrites_stopped_at"),
    Part::NoColumn("feed_login", "rewrites"),
];

online::online!(UP, DOWN);
