//! Template for the titles of the messages to a channel.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE channel ADD COLUMN title_template text"];

const DOWN: &[&str] = &["ALTER TABLE channel DROP COLUMN title_template"];

dialect::migration!(UP, DOWN);
