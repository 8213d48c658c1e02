//! Briefings about the unread entries of collections.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS model_briefing (
        collection_id bigint NOT NULL PRIMARY KEY REFERENCES rss_collection (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        state text NOT NULL,
        lines text NOT NULL,
        entries integer NOT NULL,
        omitted_entries integer NOT NULL,
        dropped_sentences integer NOT NULL,
        reason text,
        model text,
        requested_at bigint NOT NULL,
        finished_at bigint
    )",
    "CREATE INDEX IF NOT EXISTS model_briefing_account ON model_briefing (account_id)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS model_briefing"];

dialect::migration!(UP, DOWN);
