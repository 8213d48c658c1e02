//! Requested articles behind entries that are not available yet, so that entries can be found by their text
//! later.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE feed_text_request ADD COLUMN asked_at bigint"];

const DOWN: &[&str] = &["ALTER TABLE feed_text_request DROP COLUMN asked_at"];

dialect::migration!(UP, DOWN);
