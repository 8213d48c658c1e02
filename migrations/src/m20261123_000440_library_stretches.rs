//! The index of words on PostgreSQL also tells in which stretch of numbers a row stands, so that the newest rows with a
//! word are found without all others that have it. Nothing of the rows changes.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::dialect;

const UP: &[&str] = &[
    "CREATE INDEX IF NOT EXISTS library_search_stretches ON library_search \
        USING gin ((ARRAY[id / 16384, -1 - id / 262144]), words)",
    "DROP INDEX IF EXISTS library_search_words",
];

const DOWN: &[&str] = &[
    "CREATE INDEX IF NOT EXISTS library_search_words ON library_search USING gin (words)",
    "DROP INDEX IF EXISTS library_search_stretches",
];

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        match manager.get_database_backend() {
            DbBackend::Postgres => dialect::run_all(manager, UP).await,
            _ => Ok(()),
        }
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        match manager.get_database_backend() {
            DbBackend::Postgres => dialect::run_all(manager, DOWN).await,
            _ => Ok(()),
        }
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}
