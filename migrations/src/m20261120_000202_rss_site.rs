//! The page of a feed as its follower's list named it. The index of feeds by host served no question and cost
//! every poll a write.

use crate::dialect;

const UP: &[&str] =
    &["ALTER TABLE rss_subscription ADD COLUMN site_url text", "DROP INDEX IF EXISTS feed_by_host"];

const DOWN: &[&str] = &[
    "CREATE INDEX IF NOT EXISTS feed_by_host ON feed (host)",
    "ALTER TABLE rss_subscription DROP COLUMN site_url",
];

dialect::migration!(UP, DOWN);
