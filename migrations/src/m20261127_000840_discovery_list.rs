//! Adds the list of a page without a feed, which a monitor can watch instead.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("feed_discovery", "page_list", "text")];

const DOWN: &[Part] = &[Part::NoColumn("feed_discovery", "page_list")];

online::online!(UP, DOWN);
