//! Adds columns to bound the storage of texts: the size of each text, and the time of the last request of a
//! source by an account. Existing texts count as requested by an account, so that none is deleted early.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE source ADD COLUMN account_used_at bigint",
    "UPDATE source SET account_used_at = used_at",
    "ALTER TABLE snapshot ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0",
    "UPDATE snapshot SET stored_bytes = length(document)",
    "CREATE INDEX IF NOT EXISTS snapshot_stored_bytes ON snapshot (source_key, stored_bytes)",
];

const DOWN: &[&str] = &[
    "DROP INDEX IF EXISTS snapshot_stored_bytes",
    "ALTER TABLE snapshot DROP COLUMN stored_bytes",
    "ALTER TABLE source DROP COLUMN account_used_at",
];

dialect::migration!(UP, DOWN);
