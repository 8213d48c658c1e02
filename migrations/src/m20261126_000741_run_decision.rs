//! Adds the decision of each run: the reason why it reported a change or no change.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE monitor_run ADD COLUMN decision text"];

const DOWN: &[&str] = &["ALTER TABLE monitor_run DROP COLUMN decision"];

dialect::migration!(UP, DOWN);
