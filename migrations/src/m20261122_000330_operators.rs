//! What operators need: accounts that are administrators, kinds of jobs that are paused, what ended minute by minute, and
//! what went wrong at each start of a job.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE account ADD COLUMN is_admin boolean NOT NULL DEFAULT FALSE",
    "ALTER TABLE job ADD COLUMN errors text",
    "ALTER TABLE job ADD COLUMN request_id text",
    "CREATE INDEX IF NOT EXISTS job_ended ON job (id) WHERE finished_at IS NOT NULL",
    "CREATE TABLE IF NOT EXISTS job_pause (
        kind text NOT NULL PRIMARY KEY,
        paused_at bigint NOT NULL,
        paused_by text NOT NULL
    )",
    "CREATE TABLE IF NOT EXISTS job_minute (
        kind text NOT NULL,
        minute bigint NOT NULL,
        outcome text NOT NULL,
        ends bigint NOT NULL,
        PRIMARY KEY (kind, minute, outcome)
    )",
    "CREATE INDEX IF NOT EXISTS job_minute_age ON job_minute (minute)",
    "CREATE TABLE IF NOT EXISTS cleanup_run (
        what text NOT NULL PRIMARY KEY,
        ended_at bigint NOT NULL,
        took_ms bigint NOT NULL,
        deleted bigint NOT NULL,
        error text
    )",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS cleanup_run",
    "DROP TABLE IF EXISTS job_minute",
    "DROP TABLE IF EXISTS job_pause",
    "DROP INDEX IF EXISTS job_ended",
    "ALTER TABLE job DROP COLUMN request_id",
    "ALTER TABLE job DROP COLUMN errors",
    "ALTER TABLE account DROP COLUMN is_admin",
];

dialect::migration!(UP, DOWN);
