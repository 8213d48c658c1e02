//! Channels of collections, rules that notify channels, texts of entries in messages, and messages about saved items.

use crate::online::{self, Part, TableRewrite};

const UP: &[Part] = &[
    Part::Column("rss_collection", "notify", "text NOT NULL DEFAULT '[]'"),
    Part::Column("rss_subscription", "own_notify", "boolean NOT NULL DEFAULT FALSE"),
    Part::Rows(TableRewrite {
        all_rows: "UPDATE rss_subscription SET own_notify = TRUE WHERE notify <> '[]'",
        next_batch: "WITH step AS (SELECT id FROM rss_subscription WHERE id > CAST($1 AS bigint) \
                ORDER BY id LIMIT 500), \
            done AS (UPDATE rss_subscription s SET own_notify = TRUE FROM step WHERE s.id = step.id \
                AND s.notify <> '[]') \
            SELECT CAST(id AS text) FROM step ORDER BY id DESC LIMIT 1",
        from: "0",
    }),
    Part::Column("rss_rule", "notify", "text NOT NULL DEFAULT '[]'"),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS rss_rule_notice (
            feed_id bigint NOT NULL REFERENCES feed (id) ON DELETE CASCADE,
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            entry_id bigint NOT NULL,
            rule_id bigint NOT NULL,
            PRIMARY KEY (feed_id, account_id, entry_id, rule_id)
        )",
    ),
    Part::Index("rss_rule_notice_account", "rss_rule_notice", "(account_id)"),
    Part::Column("channel", "entry_texts", "boolean NOT NULL DEFAULT FALSE"),
    Part::Column("channel", "saved_items", "boolean NOT NULL DEFAULT FALSE"),
    Part::Column("notice", "entries", "text"),
    Part::Index("notice_saved", "notice", "(account_id, created_at) WHERE kind = 'saved'"),
];

const DOWN: &[Part] = &[
    Part::NoIndex("notice_saved"),
    Part::NoColumn("notice", "entries"),
    Part::NoColumn("channel", "saved_items"),
    Part::NoColumn("channel", "entry_texts"),
    Part::Plain("DROP TABLE IF EXISTS rss_rule_notice"),
    Part::NoColumn("rss_rule", "notify"),
    Part::NoColumn("rss_subscription", "own_notify"),
    Part::NoColumn("rss_collection", "notify"),
];

online::online!(UP, DOWN);
