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
enum Source {
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
enum Snapshot {
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
enum ReadJob {
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
enum Secret {
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
        index(manager, "source_used_at", Source::Table, &[Source::UsedAt.into_iden()]).await?;
        let of_source = [Snapshot::SourceKey.into_iden(), Snapshot::FetchedAt.into_iden()];
        index(manager, "snapshot_source_key_fetched_at", Snapshot::Table, &of_source).await?;
        index(manager, "snapshot_fetched_at", Snapshot::Table, &[Snapshot::FetchedAt.into_iden()]).await?;
        index(manager, "read_job_expires_at", ReadJob::Table, &[ReadJob::ExpiresAt.into_iden()]).await?;
        index(manager, "read_job_snapshot_id", ReadJob::Table, &[ReadJob::SnapshotId.into_iden()]).await?;
        index(manager, "idempotency_expires_at", Idempotency::Table, &[Idempotency::ExpiresAt.into_iden()])
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            Secret::Table.into_iden(),
            Idempotency::Table.into_iden(),
            ReadJob::Table.into_iden(),
            Snapshot::Table.into_iden(),
            Source::Table.into_iden(),
        ] {
            manager.drop_table(Table::drop().table(table).if_exists().to_owned()).await?;
        }
        Ok(())
    }
}

fn source_table() -> TableCreateStatement {
    Table::create()
        .table(Source::Table)
        .if_not_exists()
        .col(string_len(Source::Key, 64).primary_key())
        .col(text(Source::Url))
        .col(uuid_null(Source::SnapshotId))
        .col(big_integer_null(Source::CheckedAt))
        .col(text_null(Source::Etag))
        .col(text_null(Source::LastModified))
        .col(big_integer_null(Source::FailedAt))
        .col(string_null(Source::ErrorCode))
        .col(text_null(Source::ErrorMessage))
        .col(integer_null(Source::ErrorRetryAfter))
        .col(big_integer_null(Source::DownloadedAt))
        .col(big_integer(Source::UsedAt))
        .to_owned()
}

fn snapshot_table() -> TableCreateStatement {
    Table::create()
        .table(Snapshot::Table)
        .if_not_exists()
        .col(uuid(Snapshot::Id).primary_key())
        .col(string_len(Snapshot::SourceKey, 64))
        .col(text(Snapshot::FinalUrl))
        .col(string_len(Snapshot::BodyHash, 64))
        .col(string_len(Snapshot::DocumentHash, 64))
        .col(binary(Snapshot::Document))
        .col(big_integer(Snapshot::FetchedAt))
        .to_owned()
}

fn read_job_table() -> TableCreateStatement {
    Table::create()
        .table(ReadJob::Table)
        .if_not_exists()
        .col(uuid(ReadJob::Id).primary_key())
        .col(uuid(ReadJob::WorkId))
        .col(text(ReadJob::Url))
        .col(text_null(ReadJob::Query))
        .col(string_len_null(ReadJob::Format, 16))
        .col(integer(ReadJob::MaxAge))
        .col(string_len(ReadJob::State, 16))
        .col(big_integer(ReadJob::CreatedAt))
        .col(big_integer_null(ReadJob::StartedAt))
        .col(big_integer_null(ReadJob::FinishedAt))
        .col(big_integer(ReadJob::ExpiresAt))
        .col(integer(ReadJob::Attempts))
        .col(uuid_null(ReadJob::SnapshotId))
        .col(string_null(ReadJob::ErrorCode))
        .col(text_null(ReadJob::ErrorMessage))
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
        .table(Secret::Table)
        .if_not_exists()
        .col(string(Secret::Name).primary_key())
        .col(binary(Secret::Value))
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

impl work::Step for Migration {
    fn works(&self, _: DbBackend) -> Vec<work::Work> {
        work::new_tables(&["source", "snapshot", "read_job", "idempotency", "secret"])
    }
}
