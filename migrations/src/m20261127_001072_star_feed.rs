//! Index of an account's stars by feed, which the page Today uses to rank unread entries.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Index("rss_star_account_feed", "rss_star", "(account_id, feed_id, starred_at)")];

const DOWN: &[Part] = &[Part::NoIndex("rss_star_account_feed")];

online::online!(UP, DOWN);
