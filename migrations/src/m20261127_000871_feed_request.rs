//! User agent and headers with which a feed of a single account is fetched. The login may be empty.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("feed_login", "user_agent", "text"),
    Part::Column("feed_login", "header_names", "text"),
    Part::Column("feed_login", "sealed_headers", "{bytes}"),
];

const DOWN: &[Part] = &[
    Part::NoColumn("feed_login", "sealed_headers"),
    Part::NoColumn("feed_login", "header_names"),
    Part::NoColumn("feed_login", "user_agent"),
];

online::online!(UP, DOWN);
