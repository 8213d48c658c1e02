//! Choices of accounts for the language model: automatic summaries of new items, new tags, and a custom
//! prompt.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS model_choice (
        account_id {uuid} NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
        automatic_since bigint,
        excluded_tags text NOT NULL,
        new_tags boolean NOT NULL,
        prompt text
    )",
    "ALTER TABLE item_summary ADD COLUMN is_automatic boolean NOT NULL DEFAULT FALSE",
];

const DOWN: &[&str] =
    &["ALTER TABLE item_summary DROP COLUMN is_automatic", "DROP TABLE IF EXISTS model_choice"];

dialect::migration!(UP, DOWN);
