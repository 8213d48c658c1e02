//! Jobs: one row for each submitted job, with its outcome.
//!
//! Live rows (`ready`, `running`) are unique by kind and key. Partial indexes keep every query of the engine
//! as cheap with a million finished rows as with none.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

use crate::work;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum JobIden {
    #[sea_orm(iden = "job")]
    Table,
    Id,
    Kind,
    Key,
    Payload,
    Priority,
    RunAt,
    State,
    Attempts,
    LeaseUntil,
    Fence,
    PushedAt,
    Worker,
    ErrorCode,
    ErrorMessage,
    CreatedAt,
    StartedAt,
    FinishedAt,
}

/// Indexes with the same syntax on both databases.
const INDEXES: &[&str] = &[
    "CREATE UNIQUE INDEX IF NOT EXISTS job_live_key ON job (kind, key) WHERE state IN ('ready', 'running')",
    "CREATE INDEX IF NOT EXISTS job_ready ON job (kind, priority, run_at) WHERE state = 'ready' AND pushed_at IS NULL",
    "CREATE INDEX IF NOT EXISTS job_pushed ON job (kind, pushed_at) WHERE state = 'ready' AND pushed_at IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS job_lease ON job (kind, lease_until) WHERE state = 'running'",
    "CREATE INDEX IF NOT EXISTS job_finished ON job (kind, state, finished_at) WHERE finished_at IS NOT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table(JobIden::Table)
            .if_not_exists()
            .col(ColumnDef::new(JobIden::Id).uuid().not_null().primary_key())
            .col(ColumnDef::new(JobIden::Kind).text().not_null())
            .col(ColumnDef::new(JobIden::Key).text().not_null())
            .col(ColumnDef::new(JobIden::Payload).text().not_null())
            .col(ColumnDef::new(JobIden::Priority).small_integer().not_null())
            .col(ColumnDef::new(JobIden::RunAt).big_integer().not_null())
            .col(ColumnDef::new(JobIden::State).text().not_null())
            .col(ColumnDef::new(JobIden::Attempts).integer().not_null())
            .col(ColumnDef::new(JobIden::LeaseUntil).big_integer())
            .col(ColumnDef::new(JobIden::Fence).big_integer().not_null())
            .col(ColumnDef::new(JobIden::PushedAt).big_integer())
            .col(ColumnDef::new(JobIden::Worker).text())
            .col(ColumnDef::new(JobIden::ErrorCode).text())
            .col(ColumnDef::new(JobIden::ErrorMessage).text())
            .col(ColumnDef::new(JobIden::CreatedAt).big_integer().not_null())
            .col(ColumnDef::new(JobIden::StartedAt).big_integer())
            .col(ColumnDef::new(JobIden::FinishedAt).big_integer())
            .to_owned();
        manager.create_table(table).await?;
        for index in INDEXES {
            manager.get_connection().execute_unprepared(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(JobIden::Table).to_owned()).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

impl work::PlannedMigration for Migration {
    fn works(&self, _: DbBackend) -> Vec<work::Work> {
        work::new_tables(&["job"])
    }
}
