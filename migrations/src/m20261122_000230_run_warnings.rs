//! Warnings of a run for people, for example that the source has more content than is monitored.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE monitor_run ADD COLUMN warnings text"];

const DOWN: &[&str] = &["ALTER TABLE monitor_run DROP COLUMN warnings"];

dialect::migration!(UP, DOWN);
