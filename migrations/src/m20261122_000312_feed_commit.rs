//! Dry runs of subscription changes that may be committed, with the results of committed changes.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS feed_commit (
        id {serial},
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        token_hash {bytes} NOT NULL,
        op text NOT NULL,
        asked text NOT NULL,
        plan text NOT NULL,
        result text,
        expires_at bigint NOT NULL,
        committed_at bigint
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS feed_commit_token ON feed_commit (token_hash)",
    "CREATE INDEX IF NOT EXISTS feed_commit_account ON feed_commit (account_id)",
    "CREATE INDEX IF NOT EXISTS feed_commit_expires ON feed_commit (expires_at)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS feed_commit"];

dialect::migration!(UP, DOWN);
