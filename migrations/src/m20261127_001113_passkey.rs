//! Passkeys of accounts.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS passkey (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        credential_id {bytes} NOT NULL,
        public_key {bytes} NOT NULL,
        sign_count bigint NOT NULL,
        name text NOT NULL,
        created_at bigint NOT NULL,
        last_used_at bigint
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS passkey_credential ON passkey (credential_id)",
    "CREATE INDEX IF NOT EXISTS passkey_account ON passkey (account_id, id)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS passkey"];

dialect::migration!(UP, DOWN);
