//! The index of words on PostgreSQL also tells in which stretch of numbers a row stands, so that the newest rows with a
//! word are found without all others that have it. Nothing of the rows changes.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::PostgresIndex(
        "library_search_stretches",
        "library_search",
        "USING gin ((ARRAY[id / 16384, -1 - id / 262144]), words)",
    ),
    Part::NoPostgresIndex("library_search_words"),
];

const DOWN: &[Part] = &[
    Part::PostgresIndex("library_search_words", "library_search", "USING gin (words)"),
    Part::NoPostgresIndex("library_search_stretches"),
];

online::online!(UP, DOWN);
