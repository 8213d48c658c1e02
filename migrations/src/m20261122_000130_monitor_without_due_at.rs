//! Drops an unused column of monitors: the due time of a run is stored in the run and in its job.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE monitor DROP COLUMN due_at"];

const DOWN: &[&str] = &["ALTER TABLE monitor ADD COLUMN due_at bigint"];

dialect::migration!(UP, DOWN);
