//! Adds the delay that a site requested during the discovery of its feeds.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("feed_discovery", "error_retry_after", "integer")];

const DOWN: &[Part] = &[Part::NoColumn("feed_discovery", "error_retry_after")];

online::online!(UP, DOWN);
