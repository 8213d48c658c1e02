//! Adds schedules to monitors, and the number of failures after which they notify.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE monitor ADD COLUMN schedule text",
    "ALTER TABLE monitor ADD COLUMN notify_failures integer",
];

const DOWN: &[&str] =
    &["ALTER TABLE monitor DROP COLUMN notify_failures", "ALTER TABLE monitor DROP COLUMN schedule"];

dialect::migration!(UP, DOWN);
