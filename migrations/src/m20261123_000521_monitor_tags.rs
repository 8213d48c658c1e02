//! Adds tags to monitors.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE monitor ADD COLUMN tags text NOT NULL DEFAULT '[]'"];

const DOWN: &[&str] = &["ALTER TABLE monitor DROP COLUMN tags"];

dialect::migration!(UP, DOWN);
