//! Cookies of monitors.

use crate::dialect;

const UP: &[&str] = &["CREATE TABLE IF NOT EXISTS monitor_cookies (
        monitor_id {uuid} NOT NULL PRIMARY KEY REFERENCES monitor (id) ON DELETE CASCADE,
        sealed {bytes} NOT NULL
    )"];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS monitor_cookies"];

dialect::migration!(UP, DOWN);
