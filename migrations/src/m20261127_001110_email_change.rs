//! Changes of the e-mail address of an account: requested, or confirmed and still revertible.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS email_change (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        old_email text NOT NULL,
        new_email text NOT NULL,
        created_at bigint NOT NULL,
        confirmed_at bigint,
        expires_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS email_change_account ON email_change (account_id)",
    "CREATE INDEX IF NOT EXISTS email_change_old_email ON email_change (old_email)",
    "CREATE INDEX IF NOT EXISTS email_change_expires ON email_change (expires_at)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS email_change"];

dialect::migration!(UP, DOWN);
