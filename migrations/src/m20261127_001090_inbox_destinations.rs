//! Destinations of inbox addresses, and the feeds of newsletters.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE inbox_address ADD COLUMN destination text NOT NULL DEFAULT 'library'",
    "ALTER TABLE inbox_address ADD COLUMN collection_id bigint",
    "ALTER TABLE inbox_message ADD COLUMN feed_id bigint",
    "CREATE TABLE IF NOT EXISTS inbox_newsletter (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        identity text NOT NULL,
        title text NOT NULL,
        feed_id bigint REFERENCES feed (id) ON DELETE SET NULL,
        created_at bigint NOT NULL,
        PRIMARY KEY (account_id, identity)
    )",
    "CREATE INDEX IF NOT EXISTS inbox_newsletter_feed ON inbox_newsletter (feed_id) WHERE feed_id IS NOT NULL",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS inbox_newsletter",
    "ALTER TABLE inbox_message DROP COLUMN feed_id",
    "ALTER TABLE inbox_address DROP COLUMN collection_id",
    "ALTER TABLE inbox_address DROP COLUMN destination",
];

dialect::migration!(UP, DOWN);
