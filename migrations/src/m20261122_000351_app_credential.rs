//! Credentials of feed apps that represent an API key: issued tokens, and digests that apps compute from the
//! key.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS app_credential (
        hash {bytes} NOT NULL PRIMARY KEY,
        kind text NOT NULL,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        key_id {uuid} NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
        email text NOT NULL,
        made_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS app_credential_key ON app_credential (key_id)",
    "CREATE INDEX IF NOT EXISTS app_credential_owner ON app_credential (account_id)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS app_credential"];

dialect::migration!(UP, DOWN);
