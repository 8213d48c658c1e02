//! Host queues. If several feeds or monitors of a server are due, all but one are moved to their own time
//! slots, each at most once.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS host_turn (
        host text NOT NULL PRIMARY KEY,
        next_at bigint NOT NULL
    )",
    "ALTER TABLE feed ADD COLUMN turn_at bigint",
    "ALTER TABLE monitor ADD COLUMN turn_at bigint",
];

const DOWN: &[&str] = &[
    "ALTER TABLE monitor DROP COLUMN turn_at",
    "ALTER TABLE feed DROP COLUMN turn_at",
    "DROP TABLE IF EXISTS host_turn",
];

dialect::migration!(UP, DOWN);
