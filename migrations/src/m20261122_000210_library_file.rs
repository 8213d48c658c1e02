//! One row per blob, so that no blob is orphaned: the row is written before the first byte of the blob, and
//! deleted after the blob. During an upload, the row contains the reserved bytes and the previous file of the
//! item.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_blob (
        blob text NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        item_id {uuid},
        replaces text,
        reserved_bytes bigint NOT NULL,
        delete_at bigint
    )",
    "CREATE INDEX IF NOT EXISTS library_blob_due ON library_blob (delete_at) WHERE delete_at IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS library_blob_item ON library_blob (account_id, item_id)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS library_blob"];

dialect::migration!(UP, DOWN);
