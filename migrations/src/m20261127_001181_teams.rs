//! Teams with their members, invitations, and shared tags and monitors.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS team (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        name text NOT NULL,
        created_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS team_account ON team (account_id)",
    "CREATE TABLE IF NOT EXISTS team_member (
        team_id {uuid} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        role text NOT NULL,
        joined_at bigint NOT NULL,
        PRIMARY KEY (team_id, account_id)
    )",
    "CREATE INDEX IF NOT EXISTS team_member_account ON team_member (account_id)",
    "CREATE TABLE IF NOT EXISTS team_invitation (
        id {uuid} NOT NULL PRIMARY KEY,
        team_id {uuid} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        role text NOT NULL,
        email text,
        created_at bigint NOT NULL,
        expires_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS team_invitation_team ON team_invitation (team_id)",
    "CREATE INDEX IF NOT EXISTS team_invitation_account ON team_invitation (account_id)",
    "CREATE INDEX IF NOT EXISTS team_invitation_expiry ON team_invitation (expires_at)",
    "CREATE TABLE IF NOT EXISTS team_tag (
        team_id {uuid} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        tag_key text NOT NULL,
        PRIMARY KEY (team_id, tag_key)
    )",
    "CREATE INDEX IF NOT EXISTS team_tag_account ON team_tag (account_id, tag_key)",
    "CREATE TABLE IF NOT EXISTS team_monitor (
        team_id {uuid} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        monitor_id {uuid} NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
        PRIMARY KEY (team_id, monitor_id)
    )",
    "CREATE INDEX IF NOT EXISTS team_monitor_account ON team_monitor (account_id)",
    "CREATE INDEX IF NOT EXISTS team_monitor_monitor ON team_monitor (monitor_id)",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS team_monitor",
    "DROP TABLE IF EXISTS team_tag",
    "DROP TABLE IF EXISTS team_invitation",
    "DROP TABLE IF EXISTS team_member",
    "DROP TABLE IF EXISTS team",
];

dialect::migration!(UP, DOWN);
