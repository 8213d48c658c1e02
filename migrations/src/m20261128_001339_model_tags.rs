//! Tags that the language model attaches to items if their account has chosen it.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE model_choice ADD COLUMN tags_since bigint",
    "ALTER TABLE item_summary ADD COLUMN parts text NOT NULL DEFAULT 'summary'",
    "CREATE TABLE IF NOT EXISTS library_model_tag (
        item_id {uuid} NOT NULL REFERENCES library_item (id) ON DELETE CASCADE,
        tag_key text NOT NULL,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        is_attached boolean NOT NULL,
        attached_at bigint NOT NULL,
        PRIMARY KEY (item_id, tag_key)
    )",
    "CREATE INDEX IF NOT EXISTS library_model_tag_account ON library_model_tag (account_id, tag_key)",
    "CREATE TABLE IF NOT EXISTS model_import_tagging (
        account_id {uuid} NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
        due_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS model_import_tagging_due ON model_import_tagging (due_at)",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS model_import_tagging",
    "DROP TABLE IF EXISTS library_model_tag",
    "ALTER TABLE item_summary DROP COLUMN parts",
    "ALTER TABLE model_choice DROP COLUMN tags_since",
];

dialect::migration!(UP, DOWN);
