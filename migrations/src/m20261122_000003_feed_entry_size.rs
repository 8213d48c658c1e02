//! Adds the size of each feed entry as a computed column, with an index to sum the sizes of a feed's entries.
//! The index begins with the same columns as the index by feed and order, and replaces it.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE feed_entry ADD COLUMN size_bytes bigint GENERATED ALWAYS AS \
        (COALESCE(octet_length(content), 0) + COALESCE(octet_length(summary), 0)) {computed}",
    "CREATE INDEX IF NOT EXISTS feed_entry_size ON feed_entry (feed_id, id, size_bytes)",
    "DROP INDEX IF EXISTS feed_entry_order",
];

const DOWN: &[&str] = &[
    "CREATE INDEX IF NOT EXISTS feed_entry_order ON feed_entry (feed_id, id)",
    "DROP INDEX IF EXISTS feed_entry_size",
    "ALTER TABLE feed_entry DROP COLUMN size_bytes",
];

dialect::migration!(UP, DOWN);
