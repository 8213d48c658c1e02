//! Number of entries per subscription and week that were opened, or marked as read by id.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS rss_read_week (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        subscription_id bigint NOT NULL REFERENCES rss_subscription (id) ON DELETE CASCADE,
        week bigint NOT NULL,
        entries bigint NOT NULL,
        last_read_at bigint NOT NULL,
        PRIMARY KEY (subscription_id, week)
    )",
    "CREATE INDEX IF NOT EXISTS rss_read_week_account ON rss_read_week (account_id, week)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS rss_read_week"];

dialect::migration!(UP, DOWN);
