//! Screenshots of visual monitors, and the blobs in which they are stored.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS monitor_picture (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        monitor_id {uuid} NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
        hash text NOT NULL,
        blob text NOT NULL,
        size_bytes bigint NOT NULL,
        stored_at bigint NOT NULL,
        PRIMARY KEY (monitor_id, hash)
    )",
    "CREATE INDEX IF NOT EXISTS monitor_picture_account ON monitor_picture (account_id, stored_at)",
    "CREATE INDEX IF NOT EXISTS monitor_picture_age ON monitor_picture (stored_at)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS monitor_picture"];

dialect::migration!(UP, DOWN);
