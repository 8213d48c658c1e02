//! What a person should know of what a run saw: that there is more than is watched, for one.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE monitor_run ADD COLUMN warnings text"];

const DOWN: &[&str] = &["ALTER TABLE monitor_run DROP COLUMN warnings"];

dialect::migration!(UP, DOWN);
