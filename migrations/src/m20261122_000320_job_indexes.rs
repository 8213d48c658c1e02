//! Indexes of jobs that a claim, a renewed lease and a hand-over leave alone: they name no column that these change, so
//! that PostgreSQL writes the new version of a row into its page and no index (HOT). Half of each page is kept free for
//! it, and the table is vacuumed by how many rows died, not by their share: a queue is small and changes all day long.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Rows that are not over are those without an end: `state` stands in no index.
const UP: &[&str] = &[
    "CREATE UNIQUE INDEX IF NOT EXISTS job_live ON job (kind, key) WHERE finished_at IS NULL",
    "CREATE INDEX IF NOT EXISTS job_due ON job (kind, priority DESC, run_at) WHERE finished_at IS NULL",
    "CREATE INDEX IF NOT EXISTS job_over ON job (kind, finished_at) WHERE finished_at IS NOT NULL",
    "DROP INDEX IF EXISTS job_live_key",
    "DROP INDEX IF EXISTS job_ready",
    "DROP INDEX IF EXISTS job_pushed",
    "DROP INDEX IF EXISTS job_lease",
    "DROP INDEX IF EXISTS job_finished",
];

const UP_POSTGRES: &[&str] = &["ALTER TABLE job SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, \
     autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0, \
     autovacuum_analyze_threshold = 5000)"];

const DOWN: &[&str] = &[
    "CREATE UNIQUE INDEX IF NOT EXISTS job_live_key ON job (kind, key) WHERE state IN ('ready', 'running')",
    "CREATE INDEX IF NOT EXISTS job_ready ON job (kind, priority, run_at) WHERE state = 'ready' AND pushed_at IS NULL",
    "CREATE INDEX IF NOT EXISTS job_pushed ON job (kind, pushed_at) WHERE state = 'ready' AND pushed_at IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS job_lease ON job (kind, lease_until) WHERE state = 'running'",
    "CREATE INDEX IF NOT EXISTS job_finished ON job (kind, state, finished_at) WHERE finished_at IS NOT NULL",
    "DROP INDEX IF EXISTS job_over",
    "DROP INDEX IF EXISTS job_due",
    "DROP INDEX IF EXISTS job_live",
];

const DOWN_POSTGRES: &[&str] = &["ALTER TABLE job RESET (fillfactor, autovacuum_vacuum_scale_factor, \
     autovacuum_vacuum_threshold, autovacuum_analyze_scale_factor, autovacuum_analyze_threshold)"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run(manager, UP, UP_POSTGRES).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run(manager, DOWN, DOWN_POSTGRES).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

async fn run(manager: &SchemaManager<'_>, both: &[&str], postgres: &[&str]) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let postgres = if connection.get_database_backend() == DbBackend::Postgres { postgres } else { &[] };
    for statement in both.iter().chain(postgres) {
        connection.execute_unprepared(statement).await?;
    }
    Ok(())
}
