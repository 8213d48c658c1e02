//! Records of the changes of entries, for apps that ask for the changes since a time.

use crate::dialect;

const UP: &[&str] = &["CREATE TABLE IF NOT EXISTS rss_change_record (
        account_id {uuid} NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
        record text NOT NULL,
        updated_at bigint NOT NULL
    )"];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS rss_change_record"];

dialect::migration!(UP, DOWN);
