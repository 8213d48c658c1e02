//! Sources of highlights that accounts have reviewed.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS library_reviewed_source (
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            source_id {uuid} NOT NULL,
            day integer NOT NULL,
            reviewed integer NOT NULL,
            previous_day integer,
            PRIMARY KEY (account_id, source_id)
        )",
    ),
    Part::Plain(
        "CREATE INDEX IF NOT EXISTS library_reviewed_source_day ON library_reviewed_source (account_id, day)",
    ),
];

const DOWN: &[Part] = &[Part::Plain("DROP TABLE IF EXISTS library_reviewed_source")];

online::online!(UP, DOWN);
