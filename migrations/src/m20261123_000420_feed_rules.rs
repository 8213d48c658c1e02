//! Rules of an account for new feed entries, and the rule that has hidden an entry.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS rss_rule (
            id {serial},
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            subscription_id bigint REFERENCES rss_subscription (id) ON DELETE CASCADE,
            action text NOT NULL,
            part text NOT NULL,
            kind text NOT NULL,
            words text NOT NULL,
            created_at bigint NOT NULL,
            stopped_at bigint
        )",
    ),
    Part::Index("rss_rule_account", "rss_rule", "(account_id)"),
    Part::Index("rss_rule_subscription", "rss_rule", "(subscription_id) WHERE subscription_id IS NOT NULL"),
    Part::Column("rss_entry_mark", "muted_by", "bigint REFERENCES rss_rule (id) ON DELETE SET NULL"),
    Part::Index("rss_entry_mark_muted", "rss_entry_mark", "(muted_by) WHERE muted_by IS NOT NULL"),
];

const DOWN: &[Part] = &[
    Part::NoIndex("rss_entry_mark_muted"),
    Part::NoColumn("rss_entry_mark", "muted_by"),
    Part::Plain("DROP TABLE IF EXISTS rss_rule"),
];

online::online!(UP, DOWN);
