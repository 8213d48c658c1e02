//! Metadata documents that apps publish at their own URL, and single-use values of `OAuth`.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS oauth_client_document (
        client_id text NOT NULL PRIMARY KEY,
        document text,
        fetched_at bigint NOT NULL,
        fresh_until bigint NOT NULL,
        failed_until bigint NOT NULL,
        keys text,
        keys_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS oauth_client_document_fresh ON oauth_client_document (fresh_until)",
    "CREATE INDEX IF NOT EXISTS oauth_grant_app ON oauth_grant (client_id)",
    "CREATE TABLE IF NOT EXISTS oauth_once (
        hash {bytes} NOT NULL PRIMARY KEY,
        expires_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS oauth_once_expires ON oauth_once (expires_at)",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS oauth_once",
    "DROP INDEX IF EXISTS oauth_grant_app",
    "DROP TABLE IF EXISTS oauth_client_document",
];

dialect::migration!(UP, DOWN);
