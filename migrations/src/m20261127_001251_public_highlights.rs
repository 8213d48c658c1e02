//! Highlights of libraries with a public page.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_public_highlight (
        highlight_id {uuid} NOT NULL PRIMARY KEY REFERENCES library_highlight (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        page_token text NOT NULL,
        with_note boolean NOT NULL,
        created_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS library_public_highlight_account ON library_public_highlight \
        (account_id, created_at, highlight_id)",
    "CREATE UNIQUE INDEX IF NOT EXISTS library_public_highlight_token ON library_public_highlight (page_token)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS library_public_highlight"];

dialect::migration!(UP, DOWN);
