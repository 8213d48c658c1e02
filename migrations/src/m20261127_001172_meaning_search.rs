//! Vectors of the texts of items, and the latest search by meaning of each account.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS item_embedding (
        item_id {uuid} NOT NULL PRIMARY KEY REFERENCES library_item (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        model text NOT NULL,
        content_hash text NOT NULL,
        vector {bytes} NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS item_embedding_account ON item_embedding (account_id, item_id)",
    "CREATE TABLE IF NOT EXISTS meaning_search (
        account_id {uuid} NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
        query text NOT NULL,
        state text NOT NULL,
        results text NOT NULL,
        compared integer NOT NULL,
        unindexed integer NOT NULL,
        reason text,
        requested_at bigint NOT NULL,
        finished_at bigint
    )",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS meaning_search", "DROP TABLE IF EXISTS item_embedding"];

dialect::migration!(UP, DOWN);
