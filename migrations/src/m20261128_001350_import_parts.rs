//! Counts of the objects of an account export that were imported in addition to the library, as JSON.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE library_import ADD COLUMN parts text NOT NULL DEFAULT '[]'"];

const DOWN: &[&str] = &["ALTER TABLE library_import DROP COLUMN parts"];

dialect::migration!(UP, DOWN);
