//! Audio and video enclosures of entries.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE feed_entry ADD COLUMN enclosures text"];

const DOWN: &[&str] = &["ALTER TABLE feed_entry DROP COLUMN enclosures"];

dialect::migration!(UP, DOWN);
