//! Consent of accounts to the language model, and summaries of items.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS model_consent (
        account_id {uuid} NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
        given_at bigint NOT NULL
    )",
    "CREATE TABLE IF NOT EXISTS item_summary (
        item_id {uuid} NOT NULL PRIMARY KEY REFERENCES library_item (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        state text NOT NULL,
        summary text,
        tags text NOT NULL,
        reason text,
        model text,
        text_at bigint,
        is_partial boolean NOT NULL,
        requested_at bigint NOT NULL,
        finished_at bigint
    )",
    "CREATE INDEX IF NOT EXISTS item_summary_account ON item_summary (account_id)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS item_summary", "DROP TABLE IF EXISTS model_consent"];

dialect::migration!(UP, DOWN);
