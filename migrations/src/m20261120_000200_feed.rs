//! Feeds and related tables: addresses, entries with their texts, hosts that asked for a pause, and `WebSub`
//! leases. A feed is one row for all accounts.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS feed (
        id {serial},
        url text NOT NULL,
        host text NOT NULL,
        kind text,
        site_url text,
        title text,
        description text,
        image_url text,
        etag text,
        last_modified text,
        body_hash bigint NOT NULL DEFAULT 0,
        trust_guid boolean NOT NULL,
        trust_url boolean NOT NULL,
        next_poll_at bigint,
        hint_floor_ms bigint NOT NULL DEFAULT 0,
        skip_hours integer NOT NULL DEFAULT 0,
        skip_days integer NOT NULL DEFAULT 0,
        gap_ms bigint,
        last_new_at bigint,
        last_fetched_at bigint,
        last_error_code text,
        failures integer NOT NULL DEFAULT 0,
        failing_since bigint,
        not_found integer NOT NULL DEFAULT 0,
        not_found_since bigint,
        gone boolean NOT NULL,
        moving_to text,
        moving_count integer NOT NULL DEFAULT 0,
        refreshed_at bigint,
        created_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS feed_due ON feed (next_poll_at) WHERE next_poll_at IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS feed_by_host ON feed (host)",
    "CREATE TABLE IF NOT EXISTS feed_address (
        url text NOT NULL PRIMARY KEY,
        feed_id bigint NOT NULL REFERENCES feed (id) ON DELETE CASCADE
    )",
    "CREATE INDEX IF NOT EXISTS feed_address_feed ON feed_address (feed_id)",
    "CREATE TABLE IF NOT EXISTS feed_discovery (
        url_key text NOT NULL PRIMARY KEY,
        found text NOT NULL,
        error_code text,
        error_message text,
        made_at bigint NOT NULL
    )",
    "CREATE TABLE IF NOT EXISTS feed_host (
        host text NOT NULL PRIMARY KEY,
        paused_until bigint NOT NULL
    )",
    "CREATE TABLE IF NOT EXISTS feed_entry (
        id {serial},
        feed_id bigint NOT NULL REFERENCES feed (id) ON DELETE CASCADE,
        entry_key bigint NOT NULL,
        mark_guid bigint NOT NULL,
        mark_url bigint NOT NULL,
        mark_title bigint NOT NULL,
        mark_published bigint NOT NULL,
        fingerprint bigint NOT NULL,
        url text,
        title text,
        summary text,
        author text,
        image_url text,
        published_at bigint,
        updated_at bigint,
        discovered_at bigint NOT NULL,
        changed_at bigint,
        content text
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS feed_entry_key ON feed_entry (feed_id, entry_key)",
    "CREATE INDEX IF NOT EXISTS feed_entry_order ON feed_entry (feed_id, id)",
    "CREATE TABLE IF NOT EXISTS feed_hub (
        feed_id bigint NOT NULL PRIMARY KEY REFERENCES feed (id) ON DELETE CASCADE,
        hub_url text NOT NULL,
        topic_url text NOT NULL,
        token text NOT NULL UNIQUE,
        secret text NOT NULL,
        state text NOT NULL,
        lease_until bigint,
        next_try_at bigint,
        attempts integer NOT NULL DEFAULT 0
    )",
    "CREATE INDEX IF NOT EXISTS feed_hub_due ON feed_hub (next_try_at) WHERE next_try_at IS NOT NULL",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS feed_discovery",
    "DROP TABLE IF EXISTS feed_hub",
    "DROP TABLE IF EXISTS feed_entry",
    "DROP TABLE IF EXISTS feed_host",
    "DROP TABLE IF EXISTS feed_address",
    "DROP TABLE IF EXISTS feed",
];

dialect::migration!(UP, DOWN);
