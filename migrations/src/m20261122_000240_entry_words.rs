//! Full-text search of feed entries, with a database index as for library objects. Existing rows get the
//! closest words that the database can compute. The previous search was never part of a release.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::{dialect, work};

/// The service also truncates words at 64 characters.
const POSTGRES: &[&str] = &[
    "UPDATE feed_entry SET search_text = ' ' || REGEXP_REPLACE(REGEXP_REPLACE(search_text, '[^[:alnum:]]+', ' ', 'g'), \
        '([[:alnum:]]{64})[[:alnum:]]+', '\\1', 'g') || ' '",
    "ALTER TABLE feed_entry ADD COLUMN words tsvector GENERATED ALWAYS AS (CAST(search_text AS tsvector)) STORED",
    "CREATE INDEX IF NOT EXISTS feed_entry_words ON feed_entry USING gin (words)",
];

const SQLITE: &[&str] = &[
    "CREATE VIRTUAL TABLE IF NOT EXISTS feed_entry_found USING fts5 (words, content = '', contentless_delete = 1, \
        detail = 'none', tokenize = \"ascii tokenchars '@#.-'\")",
    "UPDATE feed_entry SET search_text = ' ' || search_text || ' '",
    "INSERT INTO feed_entry_found (rowid, words) SELECT id, search_text FROM feed_entry",
    "CREATE TRIGGER IF NOT EXISTS feed_entry_found_new AFTER INSERT ON feed_entry BEGIN \
        INSERT INTO feed_entry_found (rowid, words) VALUES (new.id, new.search_text); END",
    "CREATE TRIGGER IF NOT EXISTS feed_entry_found_changed AFTER UPDATE OF search_text ON feed_entry \
        WHEN new.search_text <> old.search_text BEGIN \
        INSERT OR REPLACE INTO feed_entry_found (rowid, words) VALUES (new.id, new.search_text); END",
    "CREATE TRIGGER IF NOT EXISTS feed_entry_found_gone AFTER DELETE ON feed_entry BEGIN \
        DELETE FROM feed_entry_found WHERE rowid = old.id; END",
];

const DOWN_POSTGRES: &[&str] =
    &["DROP INDEX IF EXISTS feed_entry_words", "ALTER TABLE feed_entry DROP COLUMN IF EXISTS words"];

const DOWN_SQLITE: &[&str] = &[
    "DROP TRIGGER IF EXISTS feed_entry_found_new",
    "DROP TRIGGER IF EXISTS feed_entry_found_changed",
    "DROP TRIGGER IF EXISTS feed_entry_found_gone",
    "DROP TABLE IF EXISTS feed_entry_found",
];

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let own = match manager.get_database_backend() {
            DbBackend::Postgres => POSTGRES,
            _ => SQLITE,
        };
        dialect::run_all(manager, own).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let own = match manager.get_database_backend() {
            DbBackend::Postgres => DOWN_POSTGRES,
            _ => DOWN_SQLITE,
        };
        dialect::run_all(manager, own).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

impl work::PlannedMigration for Migration {
    fn works(&self, backend: DbBackend) -> Vec<work::Work> {
        let own = match backend {
            DbBackend::Postgres => POSTGRES,
            _ => SQLITE,
        };
        work::Listed::works(own, backend)
    }
}
