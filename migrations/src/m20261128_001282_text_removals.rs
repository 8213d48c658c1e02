//! Adds to subscriptions the CSS selectors of parts that are removed from the text of articles.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("rss_subscription", "text_removals", "text")];

const DOWN: &[Part] = &[Part::NoColumn("rss_subscription", "text_removals")];

online::online!(UP, DOWN);
