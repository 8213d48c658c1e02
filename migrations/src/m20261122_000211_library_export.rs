//! Exports of libraries with their parts.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_export (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        state text NOT NULL,
        format text NOT NULL,
        total bigint NOT NULL,
        done bigint NOT NULL,
        parts text NOT NULL,
        error_code text,
        created_at bigint NOT NULL,
        expires_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS library_export_account ON library_export (account_id, created_at)",
    "CREATE INDEX IF NOT EXISTS library_export_expires ON library_export (expires_at)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS library_export"];

dialect::migration!(UP, DOWN);
