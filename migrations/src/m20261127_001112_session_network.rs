//! Network of the sign-in, for the list of sessions.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE session ADD COLUMN network text"];

const DOWN: &[&str] = &["ALTER TABLE session DROP COLUMN network"];

dialect::migration!(UP, DOWN);
