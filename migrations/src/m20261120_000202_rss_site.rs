//! Adds to subscriptions the URL of the feed's page, as given in the imported list. Drops the index of feeds
//! by host, which no query used and every poll had to update.

use crate::dialect;

const UP: &[&str] =
    &["ALTER TABLE rss_subscription ADD COLUMN site_url text", "DROP INDEX IF EXISTS feed_by_host"];

const DOWN: &[&str] = &[
    "CREATE INDEX IF NOT EXISTS feed_by_host ON feed (host)",
    "ALTER TABLE rss_subscription DROP COLUMN site_url",
];

dialect::migration!(UP, DOWN);
