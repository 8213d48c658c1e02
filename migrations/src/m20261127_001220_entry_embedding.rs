//! Vectors of the texts of feed entries, and searches by meaning in entries.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS entry_embedding (
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            entry_id bigint NOT NULL REFERENCES feed_entry (id) ON DELETE CASCADE,
            model text NOT NULL,
            fingerprint bigint NOT NULL,
            vector {bytes} NOT NULL,
            PRIMARY KEY (account_id, entry_id)
        )",
    ),
    Part::Index("entry_embedding_entry", "entry_embedding", "(entry_id, model, fingerprint)"),
    Part::Column("meaning_search", "searched", "text NOT NULL DEFAULT 'items'"),
    Part::Column("meaning_search", "entry_results", "text NOT NULL DEFAULT '[]'"),
    Part::Column("meaning_search", "entries_compared", "integer NOT NULL DEFAULT 0"),
    Part::Column("meaning_search", "entries_unindexed", "integer NOT NULL DEFAULT 0"),
    Part::Column("meaning_search", "entries_cut", "boolean NOT NULL DEFAULT FALSE"),
];

const DOWN: &[Part] = &[
    Part::NoColumn("meaning_search", "entries_cut"),
    Part::NoColumn("meaning_search", "entries_unindexed"),
    Part::NoColumn("meaning_search", "entries_compared"),
    Part::NoColumn("meaning_search", "entry_results"),
    Part::NoColumn("meaning_search", "searched"),
    Part::Plain("DROP TABLE IF EXISTS entry_embedding"),
];

online::online!(UP, DOWN);
