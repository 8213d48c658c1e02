//! Removes user names and passwords from the URLs of imported items and detached highlights. If the original
//! URL of an item contains any, it is dropped, because the URL of the item is the same without them.

use crate::online::{self, Part, TableRewrite};

const UP: &[Part] = &[
    Part::Rows(TableRewrite {
        all_rows: "WITH sent (id, rest) AS (SELECT id, ltrim(substr(original_url, instr(original_url, ':') + 1), \
                '/\\' || char(9, 10, 13)) FROM library_item WHERE original_url LIKE '%@%') \
            UPDATE library_item SET original_url = NULL WHERE id IN (SELECT id FROM sent WHERE \
                instr(rest, '@') < min(coalesce(nullif(instr(rest, '/'), 0), 1e9), \
                    coalesce(nullif(instr(rest, '?'), 0), 1e9), coalesce(nullif(instr(rest, '#'), 0), 1e9), \
                    coalesce(nullif(instr(rest, '\\'), 0), 1e9)) AND instr(rest, '@') > 0)",
        next_batch: "WITH step AS (SELECT id, original_url FROM library_item WHERE id > CAST($1 AS uuid) \
                ORDER BY id LIMIT 500), \
            done AS (UPDATE library_item i SET original_url = NULL FROM step WHERE i.id = step.id \
                AND step.original_url ~ '^[^:/?#]*:[/\\\\[:space:]]*[^/?#\\\\]*@') \
            SELECT CAST(id AS text) FROM step ORDER BY id DESC LIMIT 1",
        from: "00000000-0000-0000-0000-000000000000",
    }),
    Part::Rows(TableRewrite {
        all_rows: "WITH sent (id, rest) AS (SELECT id, ltrim(substr(source_url, instr(source_url, ':') + 1), \
                '/\\' || char(9, 10, 13)) FROM library_highlight WHERE source_url LIKE '%@%') \
            UPDATE library_highlight SET source_url = NULL WHERE id IN (SELECT id FROM sent WHERE \
                instr(rest, '@') < min(coalesce(nullif(instr(rest, '/'), 0), 1e9), \
                    coalesce(nullif(instr(rest, '?'), 0), 1e9), coalesce(nullif(instr(rest, '#'), 0), 1e9), \
                    coalesce(nullif(instr(rest, '\\'), 0), 1e9)) AND instr(rest, '@') > 0)",
        next_batch: "WITH step AS (SELECT id, source_url FROM library_highlight WHERE id > CAST($1 AS uuid) \
                ORDER BY id LIMIT 500), \
            done AS (UPDATE library_highlight i SET source_url = NULL FROM step WHERE i.id = step.id \
                AND step.source_url ~ '^[^:/?#]*:[/\\\\[:space:]]*[^/?#\\\\]*@') \
            SELECT CAST(id AS text) FROM step ORDER BY id DESC LIMIT 1",
        from: "00000000-0000-0000-0000-000000000000",
    }),
    // Metadata is JSON text. On SQLite the text moves from `rest` to `done`, one URL or user name at a time.
    Part::Rows(TableRewrite {
        all_rows: "WITH RECURSIVE step (id, done, rest, is_over) AS (\
                SELECT id, '', metadata, 0 FROM library_item WHERE metadata LIKE '%http%://%@%' \
                UNION ALL SELECT id, \
                    CASE WHEN instr(rest, '://') = 0 THEN done || rest WHEN instr(substr(rest, instr(rest, '://') + 3), '@') BETWEEN 1 AND \
                        instr(replace(replace(replace(replace(replace(substr(rest, instr(rest, '://') + 3), \
                        '?', '/'), '#', '/'), '\\', '/'), ' ', '/'), '\"', '/') || '/', '/') \
                        AND replace(lower(substr(rest, 1, instr(rest, '://') + 2)), 'https', 'http') GLOB '*http://' THEN done \
                        ELSE done || substr(rest, 1, instr(rest, '://') + 2) END, \
                    CASE WHEN instr(rest, '://') = 0 THEN '' WHEN instr(substr(rest, instr(rest, '://') + 3), '@') BETWEEN 1 AND \
                        instr(replace(replace(replace(replace(replace(substr(rest, instr(rest, '://') + 3), \
                        '?', '/'), '#', '/'), '\\', '/'), ' ', '/'), '\"', '/') || '/', '/') \
                        AND replace(lower(substr(rest, 1, instr(rest, '://') + 2)), 'https', 'http') GLOB '*http://' \
                        THEN substr(rest, 1, instr(rest, '://') + 2) || substr(rest, instr(rest, '://') + 3 + instr(substr(rest, instr(rest, '://') + 3), '@')) \
                        ELSE substr(rest, instr(rest, '://') + 3) END, \
                    instr(rest, '://') = 0 FROM step WHERE NOT is_over) \
            UPDATE library_item SET metadata = step.done FROM step \
            WHERE library_item.id = step.id AND step.is_over",
        next_batch: "WITH step AS (SELECT id, metadata FROM library_item WHERE id > CAST($1 AS uuid) \
                ORDER BY id LIMIT 500), \
            done AS (UPDATE library_item i SET metadata = \
                regexp_replace(i.metadata, '(https?://)[^/?#\\\\\"[:space:]]*@', '\\1', 'gi') \
                FROM step WHERE i.id = step.id AND step.metadata ~* 'https?://[^/?#\\\\\"[:space:]]*@') \
            SELECT CAST(id AS text) FROM step ORDER BY id DESC LIMIT 1",
        from: "00000000-0000-0000-0000-000000000000",
    }),
];

const DOWN: &[Part] = &[];

online::online!(UP, DOWN);
