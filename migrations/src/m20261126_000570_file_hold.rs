//! Holds of running backups. While a hold is valid, no file is deleted.

use crate::dialect;

const UP: &[&str] = &["CREATE TABLE IF NOT EXISTS file_hold (
        id {uuid} NOT NULL PRIMARY KEY,
        expires_at bigint NOT NULL
    )"];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS file_hold"];

dialect::migration!(UP, DOWN);
