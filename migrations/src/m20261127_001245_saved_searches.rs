//! Searches of the library and of feed entries that accounts saved under a name.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_saved_search (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        target text NOT NULL,
        name text NOT NULL,
        name_key text NOT NULL,
        query text NOT NULL,
        created_at bigint NOT NULL
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS library_saved_search_name \
     ON library_saved_search (account_id, target, name_key)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS library_saved_search"];

dialect::migration!(UP, DOWN);
