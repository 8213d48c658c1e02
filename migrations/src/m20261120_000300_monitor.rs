//! Web monitors and related tables: shared targets, runs, changes, snapshots by content hash, all feed URLs
//! ever issued, and previews; also the ledger of credits.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS monitor_target (
        url_key text NOT NULL PRIMARY KEY,
        url text NOT NULL,
        etag text,
        last_modified text,
        content_type text,
        final_url text,
        body_hash bigint NOT NULL DEFAULT 0,
        body {bytes},
        fetched_at bigint NOT NULL DEFAULT 0,
        checked_at bigint NOT NULL DEFAULT 0
    )",
    "CREATE INDEX IF NOT EXISTS monitor_target_age ON monitor_target (checked_at)",
    "CREATE TABLE IF NOT EXISTS monitor (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        identity text NOT NULL,
        name text NOT NULL,
        target_url text NOT NULL,
        url_key text NOT NULL,
        host text NOT NULL,
        target_type text NOT NULL,
        definition text NOT NULL,
        interval_minutes integer NOT NULL,
        status text NOT NULL,
        pause_reason text,
        next_run_at bigint,
        due_at bigint,
        feed_token text NOT NULL,
        feed_id bigint REFERENCES feed (id) ON DELETE SET NULL,
        last_run_at bigint,
        last_change_at bigint,
        last_error_code text,
        failures integer NOT NULL DEFAULT 0,
        failing_since bigint,
        absent integer NOT NULL DEFAULT 0,
        seen_body_hash bigint NOT NULL DEFAULT 0,
        baseline_hash text,
        recent text NOT NULL DEFAULT '[]',
        masks text NOT NULL DEFAULT '{}',
        created_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS monitor_due ON monitor (next_run_at) WHERE next_run_at IS NOT NULL",
    "CREATE UNIQUE INDEX IF NOT EXISTS monitor_identity ON monitor (account_id, identity)",
    "CREATE INDEX IF NOT EXISTS monitor_of_target ON monitor (url_key)",
    "CREATE INDEX IF NOT EXISTS monitor_of_feed ON monitor (feed_id) WHERE feed_id IS NOT NULL",
    "CREATE TABLE IF NOT EXISTS monitor_run (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        monitor_id {uuid} NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
        due_at bigint NOT NULL,
        started_at bigint NOT NULL,
        finished_at bigint NOT NULL,
        outcome text NOT NULL,
        added integer NOT NULL,
        removed integer NOT NULL,
        modified integer NOT NULL,
        credits integer NOT NULL,
        error_code text
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS monitor_run_due ON monitor_run (monitor_id, due_at)",
    "CREATE INDEX IF NOT EXISTS monitor_run_order ON monitor_run (monitor_id, id)",
    "CREATE INDEX IF NOT EXISTS monitor_run_age ON monitor_run (finished_at)",
    "CREATE TABLE IF NOT EXISTS monitor_change (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        monitor_id {uuid} NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
        run_id {uuid} NOT NULL,
        detected_at bigint NOT NULL,
        kind text NOT NULL,
        url text NOT NULL,
        title text NOT NULL,
        summary text NOT NULL,
        operations {bytes} NOT NULL,
        before_hash text,
        after_hash text
    )",
    "CREATE INDEX IF NOT EXISTS monitor_change_order ON monitor_change (monitor_id, id)",
    "CREATE INDEX IF NOT EXISTS monitor_change_age ON monitor_change (detected_at)",
    "CREATE TABLE IF NOT EXISTS monitor_snapshot (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        monitor_id {uuid} NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
        hash text NOT NULL,
        content {bytes} NOT NULL,
        seen_at bigint NOT NULL,
        PRIMARY KEY (monitor_id, hash)
    )",
    "CREATE INDEX IF NOT EXISTS monitor_snapshot_age ON monitor_snapshot (seen_at)",
    "CREATE TABLE IF NOT EXISTS monitor_feed (
        token_hash text NOT NULL PRIMARY KEY,
        monitor_id {uuid} NOT NULL,
        given_at bigint NOT NULL
    )",
    "CREATE TABLE IF NOT EXISTS monitor_preview (
        key text NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        asked text NOT NULL,
        found text,
        error_code text,
        error_message text,
        made_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS monitor_preview_age ON monitor_preview (made_at)",
    "CREATE TABLE IF NOT EXISTS credit_month (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        month integer NOT NULL,
        allowance bigint NOT NULL,
        granted bigint NOT NULL,
        used bigint NOT NULL,
        PRIMARY KEY (account_id, month)
    )",
    "CREATE TABLE IF NOT EXISTS credit_entry (
        id {serial},
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        month integer NOT NULL,
        kind text NOT NULL,
        amount bigint NOT NULL,
        run_id {uuid},
        monitor_id {uuid},
        note text,
        made_at bigint NOT NULL
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS credit_entry_run ON credit_entry (run_id) WHERE run_id IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS credit_entry_month ON credit_entry (account_id, month)",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS credit_entry",
    "DROP TABLE IF EXISTS credit_month",
    "DROP TABLE IF EXISTS monitor_preview",
    "DROP TABLE IF EXISTS monitor_feed",
    "DROP TABLE IF EXISTS monitor_snapshot",
    "DROP TABLE IF EXISTS monitor_change",
    "DROP TABLE IF EXISTS monitor_run",
    "DROP TABLE IF EXISTS monitor",
    "DROP TABLE IF EXISTS monitor_target",
];

dialect::migration!(UP, DOWN);
