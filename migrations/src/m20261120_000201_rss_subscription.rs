//! Subscriptions of accounts: collections, subscriptions, and entries whose read state differs from the
//! subscription's watermark.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS rss_collection (
        id {serial},
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        name text NOT NULL,
        name_key text NOT NULL,
        kind text NOT NULL,
        created_at bigint NOT NULL
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS rss_collection_name ON rss_collection (account_id, name_key)",
    "CREATE UNIQUE INDEX IF NOT EXISTS rss_collection_unsorted ON rss_collection (account_id) WHERE kind = 'unsorted'",
    "CREATE TABLE IF NOT EXISTS rss_subscription (
        id {serial},
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        feed_id bigint NOT NULL REFERENCES feed (id),
        collection_id bigint NOT NULL REFERENCES rss_collection (id),
        title text,
        interval_minutes integer,
        full_text boolean NOT NULL,
        read_through bigint NOT NULL,
        created_at bigint NOT NULL
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS rss_subscription_feed ON rss_subscription (account_id, feed_id)",
    "CREATE INDEX IF NOT EXISTS rss_subscription_followers ON rss_subscription (feed_id)",
    "CREATE INDEX IF NOT EXISTS rss_subscription_collection ON rss_subscription (collection_id)",
    "CREATE TABLE IF NOT EXISTS rss_entry_mark (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        feed_id bigint NOT NULL,
        entry_id bigint NOT NULL REFERENCES feed_entry (id) ON DELETE CASCADE,
        unread boolean NOT NULL,
        PRIMARY KEY (account_id, feed_id, entry_id)
    )",
    "CREATE INDEX IF NOT EXISTS rss_entry_mark_entry ON rss_entry_mark (entry_id)",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS rss_entry_mark",
    "DROP TABLE IF EXISTS rss_subscription",
    "DROP TABLE IF EXISTS rss_collection",
];

dialect::migration!(UP, DOWN);
