//! Adds the last observation of a monitor, and the content of each run, so that changed settings can be tried
//! on stored content. Also adds the start of a refusal and of a wait for credits, the account that fetched
//! shared content, and the previous observation of a change.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE monitor ADD COLUMN observed_hash text",
    "ALTER TABLE monitor ADD COLUMN refused_since bigint",
    "ALTER TABLE monitor ADD COLUMN credits_wait_until bigint",
    "ALTER TABLE monitor_run ADD COLUMN content_hash text",
    "ALTER TABLE monitor_target ADD COLUMN fetched_by {uuid}",
    "ALTER TABLE monitor_change ADD COLUMN previous_look_at bigint",
];

const DOWN: &[&str] = &[
    "ALTER TABLE monitor_change DROP COLUMN previous_look_at",
    "ALTER TABLE monitor_target DROP COLUMN fetched_by",
    "ALTER TABLE monitor_run DROP COLUMN content_hash",
    "ALTER TABLE monitor DROP COLUMN credits_wait_until",
    "ALTER TABLE monitor DROP COLUMN refused_since",
    "ALTER TABLE monitor DROP COLUMN observed_hash",
];

dialect::migration!(UP, DOWN);
