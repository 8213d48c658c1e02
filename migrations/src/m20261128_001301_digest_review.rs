//! Adds the setting that the daily digest of a mail channel includes the highlights that are due for review.

use crate::dialect;

const UP: &[&str] = &["ALTER TABLE channel ADD COLUMN digest_review boolean NOT NULL DEFAULT FALSE"];

const DOWN: &[&str] = &["ALTER TABLE channel DROP COLUMN digest_review"];

dialect::migration!(UP, DOWN);
