//! Second factors of accounts, and the recovery codes that replace them.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS second_factor (
        account_id {uuid} NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
        sealed_key {bytes} NOT NULL,
        created_at bigint NOT NULL,
        confirmed_at bigint,
        last_step bigint
    )",
    "CREATE TABLE IF NOT EXISTS recovery_code (
        hash {bytes} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE
    )",
    "CREATE INDEX IF NOT EXISTS recovery_code_account ON recovery_code (account_id)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS recovery_code", "DROP TABLE IF EXISTS second_factor"];

dialect::migration!(UP, DOWN);
