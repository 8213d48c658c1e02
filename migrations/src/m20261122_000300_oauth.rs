//! OAuth grants of people to apps, authorization codes, and tokens. Codes and tokens are stored as hashes.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS oauth_grant (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        client_id text NOT NULL,
        client_hash {bytes} NOT NULL,
        client_name text NOT NULL,
        client_host text NOT NULL,
        scopes text NOT NULL,
        resources text NOT NULL,
        may_refresh boolean NOT NULL,
        created_at bigint NOT NULL,
        created_from text NOT NULL,
        begun_at bigint,
        last_used_at bigint,
        last_used_from text,
        used_generation bigint NOT NULL,
        idle_at bigint NOT NULL,
        expires_at bigint NOT NULL,
        ended_at bigint,
        ended_why text
    )",
    "CREATE INDEX IF NOT EXISTS oauth_grant_account ON oauth_grant (account_id, created_at)",
    "CREATE INDEX IF NOT EXISTS oauth_grant_ended ON oauth_grant (ended_at) WHERE ended_at IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS oauth_grant_client ON oauth_grant (account_id, client_hash)",
    "CREATE INDEX IF NOT EXISTS oauth_grant_idle ON oauth_grant (idle_at) WHERE ended_at IS NULL",
    "CREATE TABLE IF NOT EXISTS oauth_code (
        hash {bytes} NOT NULL PRIMARY KEY,
        grant_id {uuid} NOT NULL REFERENCES oauth_grant (id) ON DELETE CASCADE,
        redirect_uri text NOT NULL,
        challenge text NOT NULL,
        expires_at bigint NOT NULL,
        used_at bigint
    )",
    "CREATE INDEX IF NOT EXISTS oauth_code_grant ON oauth_code (grant_id)",
    "CREATE INDEX IF NOT EXISTS oauth_code_expires ON oauth_code (expires_at)",
    "CREATE TABLE IF NOT EXISTS oauth_refresh (
        hash {bytes} NOT NULL PRIMARY KEY,
        grant_id {uuid} NOT NULL REFERENCES oauth_grant (id) ON DELETE CASCADE,
        generation bigint NOT NULL,
        expires_at bigint NOT NULL,
        rotated_at bigint,
        rotated_for text
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS oauth_refresh_grant ON oauth_refresh (grant_id, generation)",
    "CREATE INDEX IF NOT EXISTS oauth_refresh_expires ON oauth_refresh (expires_at)",
    "CREATE TABLE IF NOT EXISTS oauth_access (
        hash {bytes} NOT NULL PRIMARY KEY,
        grant_id {uuid} NOT NULL REFERENCES oauth_grant (id) ON DELETE CASCADE,
        generation bigint NOT NULL,
        scopes text NOT NULL,
        resources text NOT NULL,
        expires_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS oauth_access_grant ON oauth_access (grant_id)",
    "CREATE INDEX IF NOT EXISTS oauth_access_expires ON oauth_access (expires_at)",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS oauth_access",
    "DROP TABLE IF EXISTS oauth_refresh",
    "DROP TABLE IF EXISTS oauth_code",
    "DROP TABLE IF EXISTS oauth_grant",
];

dialect::migration!(UP, DOWN);
