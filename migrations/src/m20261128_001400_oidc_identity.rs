//! People at an OpenID provider who sign in to an account.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS oidc_identity (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        issuer text NOT NULL,
        subject text NOT NULL,
        created_at bigint NOT NULL,
        last_used_at bigint
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS oidc_identity_subject ON oidc_identity (issuer, subject)",
    "CREATE UNIQUE INDEX IF NOT EXISTS oidc_identity_account ON oidc_identity (account_id, issuer)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS oidc_identity"];

dialect::migration!(UP, DOWN);
