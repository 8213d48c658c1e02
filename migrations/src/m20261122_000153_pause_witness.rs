//! Pauses belong to the requesting host and name the account whose URL it was; null if several accounts have
//! the URL. Existing pauses are short and are deleted.

use crate::dialect;

const UP: &[&str] = &["DELETE FROM host_pause", "ALTER TABLE host_pause ADD COLUMN witness_id {uuid}"];

const DOWN: &[&str] = &["ALTER TABLE host_pause DROP COLUMN witness_id"];

dialect::migration!(UP, DOWN);
