//! Groups of monitors with shared settings and a public page.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS monitor_group (
            id {uuid} NOT NULL PRIMARY KEY,
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            name text NOT NULL,
            name_key text NOT NULL,
            interval_minutes integer,
            schedule text,
            notify text,
            feed_token text,
            created_at bigint NOT NULL
        )",
    ),
    Part::UniqueIndex("monitor_group_name", "monitor_group", "(account_id, name_key)"),
    Part::Column("monitor", "group_id", "{uuid}"),
    Part::Column("monitor", "own_interval", "boolean NOT NULL DEFAULT FALSE"),
    Part::Column("monitor", "own_schedule", "boolean NOT NULL DEFAULT FALSE"),
    Part::Column("monitor", "own_notify", "boolean NOT NULL DEFAULT FALSE"),
];

const DOWN: &[Part] = &[
    Part::NoColumn("monitor", "own_notify"),
    Part::NoColumn("monitor", "own_schedule"),
    Part::NoColumn("monitor", "own_interval"),
    Part::NoColumn("monitor", "group_id"),
    Part::Plain("DROP TABLE IF EXISTS monitor_group"),
];

online::online!(UP, DOWN);
