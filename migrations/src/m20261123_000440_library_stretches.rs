//! Extends the search index on PostgreSQL with the id range of a row, so that the newest rows with a word are
//! found without reading all others. Does not change the rows.

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
