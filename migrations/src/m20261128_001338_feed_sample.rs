//! Newest entries of feeds, fetched for previews of rewrite rules.

use crate::dialect;

const UP: &[&str] = &["CREATE TABLE IF NOT EXISTS feed_sample (
        feed_id bigint NOT NULL PRIMARY KEY REFERENCES feed (id) ON DELETE CASCADE,
        entries text NOT NULL,
        error_code text,
        error_message text,
        error_retry_after integer,
        made_at bigint NOT NULL
    )"];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS feed_sample"];

dialect::migration!(UP, DOWN);
