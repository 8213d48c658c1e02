//! Adds the CSS selector of the text in article pages, to subscriptions and to sources whose text is selected
//! by it.

use crate::online::{self, Part};

const UP: &[Part] =
    &[Part::Column("rss_subscription", "text_selector", "text"), Part::Column("source", "selector", "text")];

const DOWN: &[Part] =
    &[Part::NoColumn("source", "selector"), Part::NoColumn("rss_subscription", "text_selector")];

online::online!(UP, DOWN);
