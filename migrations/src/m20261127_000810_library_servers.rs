//! Servers of other services that libraries are imported from.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_server (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        service text NOT NULL,
        address text NOT NULL,
        sealed {bytes} NOT NULL,
        folders text NOT NULL,
        subscriptions boolean NOT NULL,
        state text NOT NULL,
        position text NOT NULL,
        import_id {uuid},
        error_code text,
        retry_at bigint,
        started_at bigint NOT NULL,
        finished_at bigint,
        created_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS library_server_account ON library_server (account_id, id)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS library_server"];

dialect::migration!(UP, DOWN);
