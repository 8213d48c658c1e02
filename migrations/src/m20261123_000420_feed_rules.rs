//! Rules of feeds: what an account wants done with entries that come in; and on a mark, which rule has hidden its entry.

use crate::dialect;

const UP: &[&str] = &[
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
    "CREATE INDEX IF NOT EXISTS rss_rule_account ON rss_rule (account_id)",
    "CREATE INDEX IF NOT EXISTS rss_rule_subscription ON rss_rule (subscription_id) WHERE subscription_id IS NOT NULL",
    "ALTER TABLE rss_entry_mark ADD COLUMN muted_by bigint REFERENCES rss_rule (id) ON DELETE SET NULL",
    "CREATE INDEX IF NOT EXISTS rss_entry_mark_muted ON rss_entry_mark (muted_by) WHERE muted_by IS NOT NULL",
];

const DOWN: &[&str] = &[
    "DROP INDEX IF EXISTS rss_entry_mark_muted",
    "ALTER TABLE rss_entry_mark DROP COLUMN muted_by",
    "DROP TABLE IF EXISTS rss_rule",
];

dialect::migration!(UP, DOWN);
