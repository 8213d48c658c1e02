//! Decision of each run: why it reported a change, or none.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE monitor_run ADD COLUMN decision text"];

const DOWN: &[&str] = &["ALTER TABLE monitor_run DROP COLUMN decision"];

dialect::migration!(UP, DOWN);
