//! Adds the setting that the daily digest of a mail channel includes the content of the page Today.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE channel ADD COLUMN digest_today boolean NOT NULL DEFAULT FALSE"];

const DOWN: &[&str] = &["ALTER TABLE channel DROP COLUMN digest_today"];

dialect::migration!(UP, DOWN);
