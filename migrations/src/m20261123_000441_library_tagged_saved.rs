//! Adds the save time of items to their tag assignments, so that the newest items with a tag are one index
//! range. The value never changes; it is 0 for notes and highlights.

use crate::online::{self, Part, TableRewrite};

const UP: &[Part] = &[
    Part::Column("library_tagged", "saved_at", "bigint NOT NULL DEFAULT 0"),
    Part::Rows(TableRewrite {
        all_rows: "UPDATE library_tagged SET saved_at = i.saved_at FROM library_item i \
            WHERE library_tagged.kind = 'item' AND i.id = library_tagged.object_id",
        next_batch: "WITH step AS (SELECT id, account_id, saved_at FROM library_item WHERE id > CAST($1 AS uuid) \
                ORDER BY id LIMIT 500), \
            done AS (UPDATE library_tagged t SET saved_at = step.saved_at FROM step WHERE t.kind = 'item' \
                AND t.account_id = step.account_id AND t.object_id = step.id AND t.saved_at <> step.saved_at) \
            SELECT CAST(id AS text) FROM step ORDER BY id DESC LIMIT 1",
        from: "00000000-0000-0000-0000-000000000000",
    }),
    Part::Index("library_tagged_saved", "library_tagged", "(account_id, tag_key, kind, saved_at, object_id)"),
    Part::NoIndex("library_tagged_key"),
];

const DOWN: &[Part] = &[
    Part::Index("library_tagged_key", "library_tagged", "(account_id, tag_key, kind, object_id)"),
    Part::NoIndex("library_tagged_saved"),
    Part::NoColumn("library_tagged", "saved_at"),
];

online::online!(UP, DOWN);
