//! When an item was saved stands beside its tags, so that the newest items with a tag are one range of an index. It never
//! changes; notes and highlights have 0.

use crate::dialect;

const UP: &[&str] = &[
    "ALTER TABLE library_tagged ADD COLUMN saved_at bigint NOT NULL DEFAULT 0",
    "UPDATE library_tagged SET saved_at = i.saved_at FROM library_item i \
        WHERE library_tagged.kind = 'item' AND i.id = library_tagged.object_id",
    "CREATE INDEX IF NOT EXISTS library_tagged_saved ON library_tagged \
        (account_id, tag_key, kind, saved_at, object_id)",
    "DROP INDEX IF EXISTS library_tagged_key",
];

const DOWN: &[&str] = &[
    "CREATE INDEX IF NOT EXISTS library_tagged_key ON library_tagged (account_id, tag_key, kind, object_id)",
    "DROP INDEX IF EXISTS library_tagged_saved",
    "ALTER TABLE library_tagged DROP COLUMN saved_at",
];

dialect::migration!(UP, DOWN);
