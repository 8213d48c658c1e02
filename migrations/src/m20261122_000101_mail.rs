//! Outgoing mail, one row for each cause.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS mail (
        id {uuid} NOT NULL PRIMARY KEY,
        kind text NOT NULL,
        cause text NOT NULL UNIQUE,
        recipient text NOT NULL,
        account_id {uuid} REFERENCES account (id) ON DELETE CASCADE,
        created_at bigint NOT NULL,
        sent_at bigint,
        refused_at bigint
    )",
    "CREATE INDEX IF NOT EXISTS mail_owner ON mail (account_id)",
    "CREATE INDEX IF NOT EXISTS mail_created ON mail (created_at)",
];

const DOWN: &[&str] = &["DROP TABLE mail"];

dialect::migration!(UP, DOWN);
