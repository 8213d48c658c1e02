//! Numbers of library items for apps that identify items by a number, and reading positions of e-readers.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_item_number (
        number {serial},
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        item_id {uuid} NOT NULL REFERENCES library_item (id) ON DELETE CASCADE
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS library_item_number_item ON library_item_number (item_id)",
    "CREATE INDEX IF NOT EXISTS library_item_number_owner ON library_item_number (account_id)",
    "CREATE TABLE IF NOT EXISTS reading_position (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        document text NOT NULL,
        progress text NOT NULL,
        millionths bigint NOT NULL,
        device text NOT NULL,
        device_id text NOT NULL,
        updated_at bigint NOT NULL,
        PRIMARY KEY (account_id, document)
    )",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS reading_position", "DROP TABLE IF EXISTS library_item_number"];

dialect::migration!(UP, DOWN);
