//! Adds the results of the rows of imports, the columns that a person chose for a table, and the states of
//! retries and of undoing.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS library_import_report (
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            import_id {uuid} NOT NULL REFERENCES library_import (id) ON DELETE CASCADE,
            first_row bigint NOT NULL,
            last_row bigint NOT NULL,
            created bigint NOT NULL,
            existing bigint NOT NULL,
            skipped bigint NOT NULL,
            failed bigint NOT NULL,
            problems bigint NOT NULL,
            bytes bigint NOT NULL,
            results {bytes} NOT NULL,
            PRIMARY KEY (import_id, first_row)
        )",
    ),
    Part::Index("library_import_report_account", "library_import_report", "(account_id, import_id)"),
    Part::Column("library_import", "column_map", "text NOT NULL DEFAULT ''"),
    Part::Column("library_import", "is_retry", "boolean NOT NULL DEFAULT FALSE"),
    Part::Column("library_import", "is_undo_requested", "boolean NOT NULL DEFAULT FALSE"),
];

const DOWN: &[Part] = &[
    Part::NoColumn("library_import", "is_undo_requested"),
    Part::NoColumn("library_import", "is_retry"),
    Part::NoColumn("library_import", "column_map"),
    Part::Plain("DROP TABLE IF EXISTS library_import_report"),
];

online::online!(UP, DOWN);
