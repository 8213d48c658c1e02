//! Indexes to find messages by monitor and list them by channel without reading all of them.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Index("notice_monitor", "notice", "(monitor_id, channel_id, due_at)"),
    Part::Index("notice_channel", "notice", "(channel_id, id)"),
];

const DOWN: &[Part] = &[Part::NoIndex("notice_channel"), Part::NoIndex("notice_monitor")];

online::online!(UP, DOWN);
