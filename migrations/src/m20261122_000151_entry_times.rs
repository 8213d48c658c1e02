//! Adds the discovery time of entries in microseconds, assigned with their ids and strictly increasing with
//! them, and a search text: title, summary, and author, normalised and case-folded. Existing rows get the
//! closest values that the database can compute. The old column was never part of a release.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE feed_entry ADD COLUMN discovered_us bigint NOT NULL DEFAULT 0",
    // Highest time among this and the previous entries, plus one microsecond per id since that entry. The
    // result increases strictly.
    "UPDATE feed_entry SET discovered_us = t.us FROM (SELECT id, \
        id + MAX(discovered_at * 1000 - id) OVER (ORDER BY id) AS us FROM feed_entry) t \
        WHERE t.id = feed_entry.id",
    "ALTER TABLE feed_entry DROP COLUMN discovered_at",
    "ALTER TABLE feed_entry ADD COLUMN search_text text NOT NULL DEFAULT ''",
    "UPDATE feed_entry SET search_text = \
        LOWER(COALESCE(title, '') || ' ' || COALESCE(summary, '') || ' ' || COALESCE(author, ''))",
    "CREATE INDEX IF NOT EXISTS feed_entry_discovered ON feed_entry (discovered_us)",
];

const DOWN: &[&str] = &[
    "DROP INDEX IF EXISTS feed_entry_discovered",
    "ALTER TABLE feed_entry DROP COLUMN search_text",
    "ALTER TABLE feed_entry ADD COLUMN discovered_at bigint NOT NULL DEFAULT 0",
    "UPDATE feed_entry SET discovered_at = discovered_us / 1000",
    "ALTER TABLE feed_entry DROP COLUMN discovered_us",
];

dialect::migration!(UP, DOWN);
