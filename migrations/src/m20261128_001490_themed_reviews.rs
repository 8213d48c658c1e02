//! Themed reviews of highlights.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS library_themed_review (
            id {uuid} NOT NULL PRIMARY KEY,
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            name text NOT NULL,
            per_day smallint NOT NULL,
            tag text,
            item_id {uuid},
            search_id {uuid},
            day integer NOT NULL,
            reviewed integer NOT NULL,
            created_at bigint NOT NULL
        )",
    ),
    Part::Plain(
        "CREATE INDEX IF NOT EXISTS library_themed_review_account ON library_themed_review (account_id, id)",
    ),
];

const DOWN: &[Part] = &[Part::Plain("DROP TABLE IF EXISTS library_themed_review")];

online::online!(UP, DOWN);
