//! Rules that star or save entries: the tags of saved items, the results of a rule, and the entries that wait to be
//! starred or saved, or were starred or saved within the last day.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("rss_rule", "tags", "text NOT NULL DEFAULT '[]'"),
    Part::Column("rss_rule", "saved", "bigint NOT NULL DEFAULT 0"),
    Part::Column("rss_rule", "unsaved", "bigint NOT NULL DEFAULT 0"),
    Part::Column("rss_rule", "unsaved_reason", "text"),
    Part::Column("rss_rule", "unsaved_at", "bigint"),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS rss_rule_save (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        entry_id bigint NOT NULL,
        rule_id bigint NOT NULL,
        due_at bigint,
        saved_at bigint,
        PRIMARY KEY (account_id, entry_id, rule_id)
    )",
    ),
    Part::Index("rss_rule_save_due", "rss_rule_save", "(due_at)"),
];

const DOWN: &[Part] = &[
    Part::Plain("DROP TABLE IF EXISTS rss_rule_save"),
    Part::NoColumn("rss_rule", "unsaved_at"),
    Part::NoColumn("rss_rule", "unsaved_reason"),
    Part::NoColumn("rss_rule", "unsaved"),
    Part::NoColumn("rss_rule", "saved"),
    Part::NoColumn("rss_rule", "tags"),
];

online::online!(UP, DOWN);
