//! Adds the kind of an import: a library or subscriptions. Imports of subscriptions also create collections.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE library_import ADD COLUMN kind text NOT NULL DEFAULT 'library'",
    "ALTER TABLE library_import ADD COLUMN collections bigint NOT NULL DEFAULT 0",
];

const DOWN: &[&str] =
    &["ALTER TABLE library_import DROP COLUMN collections", "ALTER TABLE library_import DROP COLUMN kind"];

dialect::migration!(UP, DOWN);
