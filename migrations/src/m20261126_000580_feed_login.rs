//! Logins of feeds.

use crate::dialect;

const UP: &[&str] = &["CREATE TABLE IF NOT EXISTS feed_login (
        feed_id bigint NOT NULL PRIMARY KEY REFERENCES feed (id) ON DELETE CASCADE,
        address_key text NOT NULL,
        sealed {bytes} NOT NULL
    )"];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS feed_login"];

dialect::migration!(UP, DOWN);
