//! Tables for operators: administrator accounts, paused job kinds, completions per minute, and the errors of
//! each attempt of a job.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("account", "is_admin", "boolean NOT NULL DEFAULT FALSE"),
    Part::Column("job", "errors", "text"),
    Part::Column("job", "request_id", "text"),
    Part::Index("job_ended", "job", "(id) WHERE finished_at IS NOT NULL"),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS job_pause (
            kind text NOT NULL PRIMARY KEY,
            paused_at bigint NOT NULL,
            paused_by text NOT NULL
        )",
    ),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS job_minute (
            kind text NOT NULL,
            minute bigint NOT NULL,
            outcome text NOT NULL,
            ends bigint NOT NULL,
            PRIMARY KEY (kind, minute, outcome)
        )",
    ),
    Part::Index("job_minute_age", "job_minute", "(minute)"),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS cleanup_run (
            what text NOT NULL PRIMARY KEY,
            ended_at bigint NOT NULL,
            took_ms bigint NOT NULL,
            deleted bigint NOT NULL,
            error text
        )",
    ),
];

const DOWN: &[Part] = &[
    Part::Plain("DROP TABLE IF EXISTS cleanup_run"),
    Part::Plain("DROP TABLE IF EXISTS job_minute"),
    Part::Plain("DROP TABLE IF EXISTS job_pause"),
    Part::NoIndex("job_ended"),
    Part::NoColumn("job", "request_id"),
    Part::NoColumn("job", "errors"),
    Part::NoColumn("account", "is_admin"),
];

online::online!(UP, DOWN);
