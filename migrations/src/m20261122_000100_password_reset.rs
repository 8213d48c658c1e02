//! Links to set a new password, stored by the hash of their token.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS password_reset (
        hash {bytes} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        created_at bigint NOT NULL,
        expires_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS password_reset_owner ON password_reset (account_id)",
];

const DOWN: &[&str] = &["DROP TABLE password_reset"];

dialect::migration!(UP, DOWN);
