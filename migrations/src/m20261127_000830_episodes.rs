//! Adds podcast data of entries, an index of entries with files, and the position and speed at which an
//! account plays the recording of an entry.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("feed_entry", "episode", "text"),
    Part::Index("feed_entry_enclosures", "feed_entry", "(feed_id, id) WHERE enclosures IS NOT NULL"),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS rss_playback (
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            entry_id bigint NOT NULL REFERENCES feed_entry (id) ON DELETE CASCADE,
            position_seconds integer NOT NULL,
            speed_percent integer NOT NULL,
            updated_at bigint NOT NULL,
            PRIMARY KEY (account_id, entry_id)
        )",
    ),
    Part::Index("rss_playback_entry", "rss_playback", "(entry_id)"),
    Part::Index("rss_playback_recent", "rss_playback", "(account_id, updated_at)"),
];

const DOWN: &[Part] = &[
    Part::Plain("DROP TABLE IF EXISTS rss_playback"),
    Part::NoIndex("feed_entry_enclosures"),
    Part::NoColumn("feed_entry", "episode"),
];

online::online!(UP, DOWN);
