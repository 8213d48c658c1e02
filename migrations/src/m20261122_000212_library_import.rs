//! Imports into libraries, with their results and the created objects.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_import (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        state text NOT NULL,
        format text NOT NULL,
        is_dry boolean NOT NULL,
        include_deleted boolean NOT NULL,
        blob text NOT NULL,
        bytes bigint NOT NULL,
        total bigint,
        rows_done bigint NOT NULL,
        created bigint NOT NULL,
        existing bigint NOT NULL,
        skipped bigint NOT NULL,
        failed bigint NOT NULL,
        highlights bigint NOT NULL,
        problems text NOT NULL,
        error_code text,
        is_cancelled boolean NOT NULL,
        is_undone boolean NOT NULL,
        created_at bigint NOT NULL,
        finished_at bigint,
        expires_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS library_import_account ON library_import (account_id, created_at)",
    "CREATE INDEX IF NOT EXISTS library_import_expires ON library_import (expires_at)",
    "CREATE TABLE IF NOT EXISTS library_import_made (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        import_id {uuid} NOT NULL REFERENCES library_import (id) ON DELETE CASCADE,
        object_id {uuid} NOT NULL,
        kind text NOT NULL,
        mark bigint NOT NULL,
        PRIMARY KEY (import_id, object_id)
    )",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS library_import_made", "DROP TABLE IF EXISTS library_import"];

dialect::migration!(UP, DOWN);
