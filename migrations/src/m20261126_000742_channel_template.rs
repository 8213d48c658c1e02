//! Template for the messages to a channel.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE channel ADD COLUMN template text"];

const DOWN: &[&str] = &["ALTER TABLE channel DROP COLUMN template"];

dialect::migration!(UP, DOWN);
