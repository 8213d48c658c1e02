//! Copies of the pages of items, as browsers display them.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_page_copy (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        item_id {uuid} NOT NULL REFERENCES library_item (id) ON DELETE CASCADE,
        format text NOT NULL,
        state text NOT NULL,
        error_code text,
        statement text,
        requested_at bigint NOT NULL,
        blob text,
        size_bytes bigint,
        checksum text,
        created_at bigint,
        PRIMARY KEY (account_id, item_id, format)
    )",
    "CREATE INDEX IF NOT EXISTS library_page_copy_item ON library_page_copy (item_id)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS library_page_copy"];

dialect::migration!(UP, DOWN);
