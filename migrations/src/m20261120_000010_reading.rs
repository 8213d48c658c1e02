//! Adds the tables for reading web pages: sources, snapshots of their text, read jobs, stored responses, and
//! shared secrets.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, binary, binary_null, integer, integer_null, string, string_len,
    string_len_null, string_null, text, text_null, uuid, uuid_null,
};
use sea_orm_migration::sea_orm::DbBackend;

use crate::work;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum SourceIden {
    #[sea_orm(iden = "source")]
    Table,
    Key,
    Url,
    SnapshotId,
    CheckedAt,
    Etag,
    LastModified,
    FailedAt,
    ErrorCode,
    ErrorMessage,
    ErrorRetryAfter,
    DownloadedAt,
    UsedAt,
}

#[derive(DeriveIden)]
enum SnapshotIden {
    #[sea_orm(iden = "snapshot")]
    Table,
    Id,
    SourceKey,
    FinalUrl,
    BodyHash,
    DocumentHash,
    Document,
    FetchedAt,
}

#[derive(DeriveIden)]
enum ReadJobIden {
    #[sea_orm(iden = "read_job")]
    Table,
    Id,
    WorkId,
    Url,
    Query,
    Format,
    MaxAge,
    State,
    CreatedAt,
    StartedAt,
    FinishedAt,
    ExpiresAt,
    Attempts,
    SnapshotId,
    ErrorCode,
    ErrorMessage,
}

#[derive(DeriveIden)]
enum Idempotency {
    Table,
    Key,
    Fingerprint,
    Holder,
    Status,
    Headers,
    Body,
    ExpiresAt,
}

#[derive(DeriveIden)]
enum SecretIden {
    #[sea_orm(iden = "secret")]
    Table,
    Name,
    Value,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(source_table()).await?;
        manager.create_table(snapshot_table()).await?;
        manager.create_table(read_job_table()).await?;
        manager.create_table(idempotency_table()).await?;
        manager.create_table(secret_table()).await?;
        index(manager, "source_used_at", SourceIden::Table, &[SourceIden::UsedAt.into_iden()]).await?;
        let of_source = [SnapshotIden::SourceKey.into_iden(), SnapshotIden::FetchedAt.into_iden()];
        index(manager, "snapshot_source_key_fetched_at", SnapshotIden::Table, &of_source).await?;
        index(manager, "snapshot_fetched_at", SnapshotIden::Table, &[SnapshotIden::FetchedAt.into_iden()])
            .await?;
        index(manager, "read_job_expires_at", ReadJobIden::Table, &[ReadJobIden::ExpiresAt.into_iden()])
            .await?;
        index(manager, "read_job_snapshot_id", ReadJobIden::Table, &[ReadJobIden::SnapshotId.into_iden()])
            .await?;
        index(manager, "idempotency_expires_at", Idempotency::Table, &[Idempotency::ExpiresAt.into_iden()])
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            SecretIden::Table.into_iden(),
            Idempotency::Table.into_iden(),
            ReadJobIden::Table.into_iden(),
            SnapshotIden::Table.into_iden(),
            SourceIden::Table.into_iden(),
        ] {
            manager.drop_table(Table::drop().table(table).if_exists().to_owned()).await?;
        }
        Ok(())
    }
}

fn source_table() -> TableCreateStatement {
    Table::create()
        .table(SourceIden::Table)
        .if_not_exists()
        .col(string_len(SourceIden::Key, 64).primary_key())
        .col(text(SourceIden::Url))
        .col(uuid_null(SourceIden::SnapshotId))
        .col(big_integer_null(SourceIden::CheckedAt))
        .col(text_null(SourceIden::Etag))
        .col(text_null(SourceIden::LastModified))
        .col(big_integer_null(SourceIden::FailedAt))
        .col(string_null(SourceIden::ErrorCode))
        .col(text_null(SourceIden::ErrorMessage))
        .col(integer_null(SourceIden::ErrorRetryAfter))
        .col(big_integer_null(SourceIden::DownloadedAt))
        .col(big_integer(SourceIden::UsedAt))
        .to_owned()
}

fn snapshot_table() -> TableCreateStatement {
    Table::create()
        .table(SnapshotIden::Table)
        .if_not_exists()
        .col(uuid(SnapshotIden::Id).primary_key())
        .col(string_len(SnapshotIden::SourceKey, 64))
        .col(text(SnapshotIden::FinalUrl))
        .col(string_len(SnapshotIden::BodyHash, 64))
        .col(string_len(SnapshotIden::DocumentHash, 64))
        .col(binary(SnapshotIden::Document))
        .col(big_integer(SnapshotIden::FetchedAt))
        .to_owned()
}

fn read_job_table() -> TableCreateStatement {
    Table::create()
        .table(ReadJobIden::Table)
        .if_not_exists()
        .col(uuid(ReadJobIden::Id).primary_key())
        .col(uuid(ReadJobIden::WorkId))
        .col(text(ReadJobIden::Url))
        .col(text_null(ReadJobIden::Query))
        .col(string_len_null(ReadJobIden::Format, 16))
        .col(integer(ReadJobIden::MaxAge))
        .col(string_len(ReadJobIden::State, 16))
        .col(big_integer(ReadJobIden::CreatedAt))
        .col(big_integer_null(ReadJobIden::StartedAt))
        .col(big_integer_null(ReadJobIden::FinishedAt))
        .col(big_integer(ReadJobIden::ExpiresAt))
        .col(integer(ReadJobIden::Attempts))
        .col(uuid_null(ReadJobIden::SnapshotId))
        .col(string_null(ReadJobIden::ErrorCode))
        .col(text_null(ReadJobIden::ErrorMessage))
        .to_owned()
}

fn idempotency_table() -> TableCreateStatement {
    Table::create()
        .table(Idempotency::Table)
        .if_not_exists()
        .col(string_len(Idempotency::Key, 64).primary_key())
        .col(string_len(Idempotency::Fingerprint, 64))
        .col(uuid(Idempotency::Holder))
        .col(integer_null(Idempotency::Status))
        .col(text_null(Idempotency::Headers))
        .col(binary_null(Idempotency::Body))
        .col(big_integer(Idempotency::ExpiresAt))
        .to_owned()
}

fn secret_table() -> TableCreateStatement {
    Table::create()
        .table(SecretIden::Table)
        .if_not_exists()
        .col(string(SecretIden::Name).primary_key())
        .col(binary(SecretIden::Value))
        .to_owned()
}

async fn index(
    manager: &SchemaManager<'_>,
    name: &str,
    table: impl IntoIden,
    columns: &[DynIden],
) -> Result<(), DbErr> {
    let mut statement = Index::create().name(name).table(table.into_iden()).if_not_exists().to_owned();
    for column in columns {
        statement.col(column.clone());
    }
    manager.create_index(statement).await
}

impl work::PlannedMigration for Migration {
    fn works(&self, _: DbBackend) -> Vec<work::Work> {
        work::new_tables(&["source", "snapshot", "read_job", "idempotency", "secret"])
    }
}
