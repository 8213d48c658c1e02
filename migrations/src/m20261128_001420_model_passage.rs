//! Requests of accounts to the language model about a passage of the text of an item or a feed entry, with their answers,
//! and the accounts' own prompts for passages.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS model_passage (
        passage_id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        item_id {uuid} REFERENCES library_item (id) ON DELETE CASCADE,
        entry_id bigint REFERENCES feed_entry (id) ON DELETE CASCADE,
        passage text NOT NULL,
        is_cut boolean NOT NULL,
        task text NOT NULL,
        language text,
        prompt_name text,
        instruction text,
        state text NOT NULL,
        answer text,
        is_answer_cut boolean NOT NULL,
        anchor integer,
        reason text,
        model text,
        requested_at bigint NOT NULL,
        finished_at bigint
    )",
    "CREATE INDEX IF NOT EXISTS model_passage_account ON model_passage (account_id)",
    "CREATE UNIQUE INDEX IF NOT EXISTS model_passage_item ON model_passage (item_id)",
    "CREATE INDEX IF NOT EXISTS model_passage_entry ON model_passage (entry_id)",
    "ALTER TABLE model_choice ADD COLUMN own_prompts text NOT NULL DEFAULT '[]'",
];

const DOWN: &[&str] =
    &["ALTER TABLE model_choice DROP COLUMN own_prompts", "DROP TABLE IF EXISTS model_passage"];

dialect::migration!(UP, DOWN);
