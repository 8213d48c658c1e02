//! Pauses requested by servers, for feeds and monitors alike, with the page that requested each. Rows of
//! `feed_host` are retained until they expire. The old table was never part of a release.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS host_pause (
        host text NOT NULL,
        url_hash bigint NOT NULL,
        asked_at bigint NOT NULL,
        paused_until bigint NOT NULL,
        PRIMARY KEY (host, url_hash)
    )",
    "INSERT INTO host_pause (host, url_hash, asked_at, paused_until)
        SELECT host, 0, paused_until - 60000, paused_until FROM feed_host",
    "DROP TABLE feed_host",
];

const DOWN: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS feed_host (
        host text NOT NULL PRIMARY KEY,
        paused_until bigint NOT NULL
    )",
    "INSERT INTO feed_host (host, paused_until)
        SELECT host, MAX(paused_until) FROM host_pause GROUP BY host",
    "DROP TABLE host_pause",
];

dialect::migration!(UP, DOWN);
