//! Notices to people, and the channels to which they are sent.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS channel (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        kind text NOT NULL,
        name text NOT NULL,
        sealed {bytes} NOT NULL,
        shown text NOT NULL,
        status text NOT NULL,
        off_reason text,
        off_at bigint,
        account_news boolean NOT NULL,
        digest_minute integer,
        zone text NOT NULL,
        address_hash {bytes},
        secret_rotated_at bigint,
        failing_since bigint,
        failures integer NOT NULL,
        refusals integer NOT NULL,
        confirmations integer NOT NULL,
        last_success_at bigint,
        created_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS channel_account ON channel (account_id)",
    "CREATE TABLE IF NOT EXISTS channel_address (
        hash {bytes} NOT NULL PRIMARY KEY,
        mails integer NOT NULL,
        last_mail_at bigint NOT NULL
    )",
    "CREATE TABLE IF NOT EXISTS notice (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        channel_id {uuid} NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
        cause text NOT NULL,
        kind text NOT NULL,
        monitor_id {uuid},
        content text NOT NULL,
        sealed_body {bytes},
        state text NOT NULL,
        held_for text,
        gathered_by {uuid},
        due_at bigint NOT NULL,
        tries integer NOT NULL,
        last_try_at bigint,
        status integer,
        answer text,
        created_at bigint NOT NULL
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS notice_cause ON notice (channel_id, cause)",
    "CREATE INDEX IF NOT EXISTS notice_state ON notice (channel_id, state, id)",
    "CREATE INDEX IF NOT EXISTS notice_account ON notice (account_id, due_at)",
    "CREATE INDEX IF NOT EXISTS notice_gathered ON notice (gathered_by)",
    "CREATE INDEX IF NOT EXISTS notice_created ON notice (created_at)",
    "ALTER TABLE monitor ADD COLUMN notify text NOT NULL DEFAULT '[]'",
];

const DOWN: &[&str] = &[
    "ALTER TABLE monitor DROP COLUMN notify",
    "DROP TABLE IF EXISTS notice",
    "DROP TABLE IF EXISTS channel_address",
    "DROP TABLE IF EXISTS channel",
];

dialect::migration!(UP, DOWN);
