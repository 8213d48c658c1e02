//! The page of a feed as its follower's list named it. The index of feeds by host served no question and cost
//! every poll a write.

use sea_orm_migration::prelude::*;

use crate::dialect::run_all;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const UP: &[&str] =
    &["ALTER TABLE rss_subscription ADD COLUMN site_url text", "DROP INDEX IF EXISTS feed_by_host"];

const DOWN: &[&str] = &[
    "CREATE INDEX IF NOT EXISTS feed_by_host ON feed (host)",
    "ALTER TABLE rss_subscription DROP COLUMN site_url",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run_all(manager, UP).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run_all(manager, DOWN).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}
