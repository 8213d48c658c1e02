//! Stars: an account's marks on entries, each with the library item that was saved for the entry. The stars
//! of an item are deleted with it.

use crate::dialect;

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS rss_star (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        entry_id bigint NOT NULL REFERENCES feed_entry (id) ON DELETE CASCADE,
        feed_id bigint NOT NULL,
        item_id {uuid} REFERENCES library_item (id) ON DELETE CASCADE,
        made_item boolean NOT NULL,
        starred_at bigint NOT NULL,
        PRIMARY KEY (account_id, entry_id)
    )",
    "CREATE INDEX IF NOT EXISTS rss_star_entry ON rss_star (entry_id)",
    "CREATE INDEX IF NOT EXISTS rss_star_feed ON rss_star (feed_id)",
    "CREATE INDEX IF NOT EXISTS rss_star_item ON rss_star (item_id) WHERE item_id IS NOT NULL",
];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS rss_star"];

dialect::migration!(UP, DOWN);
