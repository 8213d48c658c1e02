//! Adds the host of a pause, and the account whose URL caused it; null if several accounts have the URL.
//! Existing pauses are short and are deleted.

use crate::dialect;

const UP: &[&str] = &["DELETE FROM host_pause", "ALTER TABLE host_pause ADD COLUMN witness_id {uuid}"];

const DOWN: &[&str] = &["ALTER TABLE host_pause DROP COLUMN witness_id"];

dialect::migration!(UP, DOWN);
