//! Drops a column of monitors that nobody writes: when a run was due stands in the run and in its job.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE monitor DROP COLUMN due_at"];

const DOWN: &[&str] = &["ALTER TABLE monitor ADD COLUMN due_at bigint"];

dialect::migration!(UP, DOWN);
