//! Adds the order of the words of library objects, for searches of phrases. Existing libraries are marked as
//! due: a job per library rewrites the index rows that earlier versions wrote with other rules.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("library_search", "word_order", "{bytes}"),
    Part::Column("library_account", "reindexed_to", "{uuid}"),
    // Libraries that a process of an earlier version creates are also due.
    Part::Column("library_account", "reindex_at", "bigint DEFAULT 0"),
    Part::Index("library_account_reindex", "library_account", "(reindex_at) WHERE reindex_at IS NOT NULL"),
];

const DOWN: &[Part] = &[
    Part::NoIndex("library_account_reindex"),
    Part::NoColumn("library_account", "reindex_at"),
    Part::NoColumn("library_account", "reindexed_to"),
    Part::NoColumn("library_search", "word_order"),
];

online::online!(UP, DOWN);
