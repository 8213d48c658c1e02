//! Spaced review of highlights: the day on which a highlight is due, and the number of highlights that an account
//! has reviewed on a day. Existing highlights are due immediately.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("library_highlight", "review_day", "integer DEFAULT 0"),
    Part::Column("library_highlight", "review_step", "smallint NOT NULL DEFAULT 0"),
    Part::Index("library_highlight_review", "library_highlight", "(account_id, review_day, id)"),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS library_review_day (
            account_id {uuid} NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
            day integer NOT NULL,
            reviewed integer NOT NULL
        )",
    ),
];

const DOWN: &[Part] = &[
    Part::Plain("DROP TABLE IF EXISTS library_review_day"),
    Part::NoIndex("library_highlight_review"),
    Part::NoColumn("library_highlight", "review_step"),
    Part::NoColumn("library_highlight", "review_day"),
];

online::online!(UP, DOWN);
