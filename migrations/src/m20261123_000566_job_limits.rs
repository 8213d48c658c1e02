//! Limits of job kinds that operators set at runtime, and the running jobs that count towards them.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS job_limit (
        kind text NOT NULL PRIMARY KEY,
        max_run_ms bigint,
        most_running integer,
        starts_a_minute integer,
        paced_until bigint NOT NULL,
        set_at bigint NOT NULL,
        set_by text NOT NULL
    )",
    "CREATE TABLE IF NOT EXISTS job_grant (
        job_id {uuid} NOT NULL PRIMARY KEY,
        kind text NOT NULL,
        fence bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS job_grant_kind ON job_grant (kind)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS job_grant", "DROP TABLE IF EXISTS job_limit"];

dialect::migration!(UP, DOWN);
