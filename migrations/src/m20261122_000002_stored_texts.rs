//! What is needed to bound the room that stored texts take: the size of each, and when an account last asked
//! for a source. What is stored already counts as asked for by an account, so that nothing ends early.

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
