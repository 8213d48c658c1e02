//! Articles that entries link to and followers need, and that have not been requested yet.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS feed_text_request (
        entry_id bigint NOT NULL PRIMARY KEY REFERENCES feed_entry (id) ON DELETE CASCADE,
        wanted_at bigint NOT NULL,
        next_try_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS feed_text_request_due ON feed_text_request (next_try_at)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS feed_text_request"];

dialect::migration!(UP, DOWN);
