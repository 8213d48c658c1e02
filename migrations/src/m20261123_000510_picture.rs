//! Pictures of pages: the result of fetching each URL, and the blob in which it is stored.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS picture (
        hash text NOT NULL PRIMARY KEY,
        url text NOT NULL,
        blob text,
        media_type text,
        width integer NOT NULL,
        height integer NOT NULL,
        size_bytes bigint NOT NULL,
        failure text,
        holds_until bigint NOT NULL,
        asked_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS picture_asked ON picture (asked_at)",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS picture"];

dialect::migration!(UP, DOWN);
