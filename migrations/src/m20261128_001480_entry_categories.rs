//! Categories of the entries of feeds. Stored entries get theirs from the next changed body of the feed.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("feed_entry", "categories", "text")];

const DOWN: &[Part] = &[Part::NoColumn("feed_entry", "categories")];

online::online!(UP, DOWN);
