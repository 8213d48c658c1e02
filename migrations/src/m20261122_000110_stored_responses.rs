//! Adds columns to bound the storage of responses under an `Idempotency-Key`: caller and size. Existing
//! responses have no caller and expire within a day.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE idempotency ADD COLUMN caller text NOT NULL DEFAULT ''",
    "ALTER TABLE idempotency ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0",
    "UPDATE idempotency SET stored_bytes = length(body) WHERE body IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS idempotency_caller_bytes ON idempotency (caller, stored_bytes)",
];

const DOWN: &[&str] = &[
    "DROP INDEX IF EXISTS idempotency_caller_bytes",
    "ALTER TABLE idempotency DROP COLUMN stored_bytes",
    "ALTER TABLE idempotency DROP COLUMN caller",
];

dialect::migration!(UP, DOWN);
