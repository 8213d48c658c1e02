//! Event log of feeds: one row per event, independent of the number of followers, numbered in commit order.
//! The first row represents all events before the log. Subscriptions store the position after which they see
//! events.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS feed_event (
        sequence bigint NOT NULL PRIMARY KEY,
        kind text NOT NULL,
        feed_id bigint NOT NULL,
        entry_id bigint,
        from_feed_id bigint
    )",
    "INSERT INTO feed_event (sequence, kind, feed_id) VALUES (0, 'log.began', 0)",
    "ALTER TABLE feed ADD COLUMN is_failing boolean NOT NULL DEFAULT FALSE",
    "ALTER TABLE rss_subscription ADD COLUMN followed_sequence bigint NOT NULL DEFAULT 0",
    "ALTER TABLE rss_former_feed ADD COLUMN followed_sequence bigint NOT NULL DEFAULT 0",
];

const DOWN: &[&str] = &[
    "ALTER TABLE rss_former_feed DROP COLUMN followed_sequence",
    "ALTER TABLE rss_subscription DROP COLUMN followed_sequence",
    "ALTER TABLE feed DROP COLUMN is_failing",
    "DROP TABLE IF EXISTS feed_event",
];

dialect::migration!(UP, DOWN);
