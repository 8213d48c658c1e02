//! Mail addresses of accounts, and the messages received there.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS inbox_address (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        local text NOT NULL,
        name text NOT NULL,
        tags text NOT NULL,
        muted boolean NOT NULL,
        last_received_at bigint,
        refusals bigint NOT NULL,
        refused_at bigint,
        refused_reason text,
        created_at bigint NOT NULL
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS inbox_address_local ON inbox_address (local)",
    "CREATE INDEX IF NOT EXISTS inbox_address_account ON inbox_address (account_id, id)",
    "CREATE TABLE IF NOT EXISTS inbox_message (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        address_id {uuid} NOT NULL,
        envelope_sender text NOT NULL,
        blob text,
        bytes bigint NOT NULL,
        content_hash {bytes} NOT NULL,
        message_key {bytes},
        state text NOT NULL,
        reason text,
        subject text,
        sender text,
        list_id text,
        unsubscribe_url text,
        one_click boolean NOT NULL,
        authentication text,
        attachments text NOT NULL,
        item_id {uuid},
        received_at bigint NOT NULL,
        finished_at bigint
    )",
    "CREATE INDEX IF NOT EXISTS inbox_message_account ON inbox_message (account_id, id)",
    "CREATE INDEX IF NOT EXISTS inbox_message_content ON inbox_message (account_id, content_hash)",
    "CREATE INDEX IF NOT EXISTS inbox_message_key ON inbox_message (account_id, message_key)",
    "CREATE INDEX IF NOT EXISTS inbox_message_finished ON inbox_message (finished_at)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS inbox_message", "DROP TABLE IF EXISTS inbox_address"];

dialect::migration!(UP, DOWN);
