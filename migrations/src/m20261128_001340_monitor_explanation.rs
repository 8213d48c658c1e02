//! Explanations of changes that monitors detected, written by the language model.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS monitor_explanation (
        change_id {uuid} NOT NULL PRIMARY KEY REFERENCES monitor_change (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        monitor_id {uuid} NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
        state text NOT NULL,
        wish text,
        only_relevant boolean NOT NULL,
        title text NOT NULL,
        summary text NOT NULL,
        sentence text,
        is_relevant boolean,
        reason text,
        model text,
        requested_at bigint NOT NULL,
        due_at bigint,
        finished_at bigint
    )",
    "CREATE INDEX IF NOT EXISTS monitor_explanation_account ON monitor_explanation (account_id)",
    "CREATE INDEX IF NOT EXISTS monitor_explanation_monitor ON monitor_explanation (monitor_id, change_id)",
    "CREATE INDEX IF NOT EXISTS monitor_explanation_due ON monitor_explanation (due_at) WHERE due_at IS NOT NULL",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS monitor_explanation"];

dialect::migration!(UP, DOWN);
