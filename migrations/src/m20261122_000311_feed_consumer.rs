//! Consumers of the feed event log: named positions that programs acknowledge.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS feed_consumer (
        id {serial},
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        name text NOT NULL,
        name_key text NOT NULL,
        predicate text NOT NULL,
        position bigint NOT NULL,
        epoch bigint NOT NULL DEFAULT 0,
        last_delivered_at bigint,
        acknowledged_at bigint,
        used_at bigint NOT NULL,
        created_at bigint NOT NULL
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS feed_consumer_name ON feed_consumer (account_id, name_key)",
    "CREATE INDEX IF NOT EXISTS feed_consumer_used ON feed_consumer (used_at)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS feed_consumer"];

dialect::migration!(UP, DOWN);
