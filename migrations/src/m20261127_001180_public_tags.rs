//! Tags of libraries with a public page and feed.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_public_tag (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        tag_key text NOT NULL,
        page_token text NOT NULL,
        created_at bigint NOT NULL
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS library_public_tag_key ON library_public_tag (account_id, tag_key)",
    "CREATE UNIQUE INDEX IF NOT EXISTS library_public_tag_token ON library_public_tag (page_token)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS library_public_tag"];

dialect::migration!(UP, DOWN);
