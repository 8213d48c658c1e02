//! Pauses belong to the host that asked, and know the account whose address it was; empty where several accounts
//! have it. Pauses that stand are short, and go.

use crate::dialect;

const UP: &[&str] = &["DELETE FROM host_pause", "ALTER TABLE host_pause ADD COLUMN witness_id {uuid}"];

const DOWN: &[&str] = &["ALTER TABLE host_pause DROP COLUMN witness_id"];

dialect::migration!(UP, DOWN);
