//! Questions of accounts to the language model about the text of an item or a feed entry, or about the library, with
//! their answers.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS model_question (
        question_id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        item_id {uuid} REFERENCES library_item (id) ON DELETE CASCADE,
        entry_id bigint REFERENCES feed_entry (id) ON DELETE CASCADE,
        question text NOT NULL,
        state text NOT NULL,
        sentences text NOT NULL,
        dropped_sentences integer NOT NULL,
        items integer NOT NULL,
        omitted_items integer NOT NULL,
        is_partial boolean NOT NULL,
        text_at bigint,
        reason text,
        model text,
        requested_at bigint NOT NULL,
        finished_at bigint
    )",
    "CREATE INDEX IF NOT EXISTS model_question_account ON model_question (account_id)",
    "CREATE UNIQUE INDEX IF NOT EXISTS model_question_item ON model_question (item_id)",
    "CREATE INDEX IF NOT EXISTS model_question_entry ON model_question (entry_id)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS model_question"];

dialect::migration!(UP, DOWN);
