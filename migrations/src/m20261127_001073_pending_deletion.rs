//! Items that a person has deleted from a list. They are deleted after a short time, during which the person
//! can undo the deletion.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_pending_deletion (
        item_id {uuid} NOT NULL PRIMARY KEY REFERENCES library_item (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        with_annotations boolean NOT NULL,
        delete_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS library_pending_deletion_account ON library_pending_deletion (account_id)",
    "CREATE INDEX IF NOT EXISTS library_pending_deletion_due ON library_pending_deletion (delete_at)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS library_pending_deletion"];

dialect::migration!(UP, DOWN);
