//! Adds a setting to subscriptions: whether clicking an entry in a list opens the publisher's page.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("rss_subscription", "show_original", "boolean NOT NULL DEFAULT FALSE")];

const DOWN: &[Part] = &[Part::NoColumn("rss_subscription", "show_original")];

online::online!(UP, DOWN);
