//! Snoozes: a channel gets no messages about a monitor until its snooze expires.

use crate::dialect;

const UP: &[&str] = &["CREATE TABLE IF NOT EXISTS notice_snooze (
        channel_id {uuid} NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
        monitor_id {uuid} NOT NULL REFERENCES monitor (id) ON DELETE CASCADE,
        until_at bigint NOT NULL,
        PRIMARY KEY (channel_id, monitor_id)
    )"];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS notice_snooze"];

dialect::migration!(UP, DOWN);
