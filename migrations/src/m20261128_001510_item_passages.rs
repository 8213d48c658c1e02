//! Vectors of all passages of an item, and the accounts whose items are indexed in the background.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("item_embedding", "passages", "integer NOT NULL DEFAULT 0"),
    Part::Column("item_embedding", "refused", "integer NOT NULL DEFAULT 0"),
    Part::Column("item_embedding", "is_cut", "boolean NOT NULL DEFAULT FALSE"),
    // It includes all columns except the vectors, which are large and precede the new columns in a row.
    Part::Index(
        "item_embedding_passages",
        "item_embedding",
        "(account_id, model, item_id, content_hash, passages, refused, is_cut)",
    ),
    Part::NoIndex("item_embedding_account"),
    Part::Column("meaning_search", "items_partial", "integer NOT NULL DEFAULT 0"),
    Part::Column("meaning_search", "items_cut", "boolean NOT NULL DEFAULT FALSE"),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS model_item_index (
            account_id {uuid} NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
            due_at bigint NOT NULL,
            failures integer NOT NULL,
            reason text,
            is_full boolean NOT NULL
        )",
    ),
    Part::Plain("CREATE INDEX IF NOT EXISTS model_item_index_due ON model_item_index (due_at)"),
];

const DOWN: &[Part] = &[
    Part::Plain("DROP TABLE IF EXISTS model_item_index"),
    Part::NoColumn("meaning_search", "items_cut"),
    Part::NoColumn("meaning_search", "items_partial"),
    Part::Index("item_embedding_account", "item_embedding", "(account_id, item_id)"),
    Part::NoIndex("item_embedding_passages"),
    Part::NoColumn("item_embedding", "is_cut"),
    Part::NoColumn("item_embedding", "refused"),
    Part::NoColumn("item_embedding", "passages"),
];

online::online!(UP, DOWN);
