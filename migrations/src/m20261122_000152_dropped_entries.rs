//! Entries of a feed that are not stored: entries beyond the first hundred of a new feed, and entries removed
//! by retention. Their hashes prevent them from appearing as new.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS feed_dropped_entry (
        id {serial},
        feed_id bigint NOT NULL REFERENCES feed (id) ON DELETE CASCADE,
        entry_key bigint NOT NULL,
        mark_guid bigint NOT NULL,
        mark_url bigint NOT NULL,
        mark_title bigint NOT NULL,
        mark_published bigint NOT NULL,
        fingerprint bigint NOT NULL,
        left_at bigint
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS feed_dropped_entry_key ON feed_dropped_entry (feed_id, entry_key)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS feed_dropped_entry"];

dialect::migration!(UP, DOWN);
