//! Within a level of one kind of jobs each account has one turn after the other, however many it has: whose job it is, and whether the time
//! at which it is due is such a turn.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE job ADD COLUMN owner_id {uuid}",
    "ALTER TABLE job ADD COLUMN in_turn boolean NOT NULL DEFAULT FALSE",
    "CREATE INDEX IF NOT EXISTS job_owner ON job (kind, owner_id, priority, run_at) WHERE finished_at IS NULL AND owner_id IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS job_turn ON job (kind, priority DESC, run_at) WHERE finished_at IS NULL AND in_turn",
];

const DOWN: &[&str] = &[
    "DROP INDEX IF EXISTS job_turn",
    "DROP INDEX IF EXISTS job_owner",
    "ALTER TABLE job DROP COLUMN in_turn",
    "ALTER TABLE job DROP COLUMN owner_id",
];

dialect::migration!(UP, DOWN);
