//! Articles behind entries that were asked for wait until they are there, so that entries are found by them.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE feed_text_request ADD COLUMN asked_at bigint"];

const DOWN: &[&str] = &["ALTER TABLE feed_text_request DROP COLUMN asked_at"];

dialect::migration!(UP, DOWN);
