//! Private feeds of saved searches.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("library_saved_search", "feed_token", "text"),
    Part::UniqueIndex("library_saved_search_feed", "library_saved_search", "(feed_token)"),
];

const DOWN: &[Part] =
    &[Part::NoIndex("library_saved_search_feed"), Part::NoColumn("library_saved_search", "feed_token")];

online::online!(UP, DOWN);
