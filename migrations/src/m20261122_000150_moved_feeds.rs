//! Moved feeds: the time since which a feed's redirect has been the same, the feed to which it moved, and the
//! last of its entries that no longer change. `rss_former_feed` retains the read state of feeds that an
//! account followed until a move or until it unsubscribed. `feed_entry_twin` maps entries of the new feed to
//! the same entries of the previous feed.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE feed ADD COLUMN moving_since bigint",
    "ALTER TABLE feed ADD COLUMN successor_id bigint",
    "ALTER TABLE feed ADD COLUMN joined_at bigint",
    "ALTER TABLE feed ADD COLUMN fixed_through bigint NOT NULL DEFAULT 0",
    "ALTER TABLE rss_subscription ADD COLUMN moved_from_id bigint",
    "ALTER TABLE rss_subscription ADD COLUMN moved_at bigint",
    "ALTER TABLE rss_subscription ADD COLUMN declined_feed_id bigint",
    "CREATE TABLE IF NOT EXISTS rss_former_feed (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        feed_id bigint NOT NULL REFERENCES feed (id),
        into_feed_id bigint,
        subscription_id bigint,
        read_through bigint NOT NULL,
        last_entry_id bigint NOT NULL,
        ended_at bigint NOT NULL,
        PRIMARY KEY (account_id, feed_id)
    )",
    "CREATE INDEX IF NOT EXISTS rss_former_feed_feed ON rss_former_feed (feed_id)",
    "CREATE INDEX IF NOT EXISTS rss_former_feed_into ON rss_former_feed (into_feed_id)",
    "CREATE INDEX IF NOT EXISTS rss_former_feed_subscription ON rss_former_feed (subscription_id)",
    "CREATE TABLE IF NOT EXISTS feed_entry_twin (
        into_feed_id bigint NOT NULL,
        entry_id bigint NOT NULL REFERENCES feed_entry (id) ON DELETE CASCADE,
        twin_id bigint NOT NULL,
        PRIMARY KEY (into_feed_id, entry_id)
    )",
    "CREATE INDEX IF NOT EXISTS feed_entry_twin_entry ON feed_entry_twin (entry_id)",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS feed_entry_twin",
    "DROP TABLE IF EXISTS rss_former_feed",
    "ALTER TABLE rss_subscription DROP COLUMN declined_feed_id",
    "ALTER TABLE rss_subscription DROP COLUMN moved_at",
    "ALTER TABLE rss_subscription DROP COLUMN moved_from_id",
    "ALTER TABLE feed DROP COLUMN fixed_through",
    "ALTER TABLE feed DROP COLUMN joined_at",
    "ALTER TABLE feed DROP COLUMN successor_id",
    "ALTER TABLE feed DROP COLUMN moving_since",
];

dialect::migration!(UP, DOWN);
