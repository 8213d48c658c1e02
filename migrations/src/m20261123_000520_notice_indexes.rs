//! Messages are found by their monitor, and listed by their channel, without reading all of them.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE INDEX IF NOT EXISTS notice_monitor ON notice (monitor_id, channel_id, due_at)",
    "CREATE INDEX IF NOT EXISTS notice_channel ON notice (channel_id, id)",
];

const DOWN: &[&str] = &["DROP INDEX IF EXISTS notice_channel", "DROP INDEX IF EXISTS notice_monitor"];

dialect::migration!(UP, DOWN);
