//! Parts of an account export to import in addition to the library, separated by commas.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE library_import ADD COLUMN include text NOT NULL DEFAULT ''"];

const DOWN: &[&str] = &["ALTER TABLE library_import DROP COLUMN include"];

dialect::migration!(UP, DOWN);
