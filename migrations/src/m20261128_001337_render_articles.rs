//! Adds to subscriptions the choice to render the pages of articles in a browser.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("rss_subscription", "render_articles", "boolean NOT NULL DEFAULT FALSE")];

const DOWN: &[Part] = &[Part::NoColumn("rss_subscription", "render_articles")];

online::online!(UP, DOWN);
