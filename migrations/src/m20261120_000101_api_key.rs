//! Personal API keys: hash, scopes, and expiry. The key itself is not stored.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::m20261120_000100_account::owner;
use crate::work;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum ApiKeyIden {
    #[sea_orm(iden = "api_key")]
    Table,
    Id,
    AccountId,
    Name,
    Prefix,
    Hash,
    Scopes,
    CreatedAt,
    LastUsedAt,
    ExpiresAt,
    RevokedAt,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table(ApiKeyIden::Table)
            .if_not_exists()
            .col(ColumnDef::new(ApiKeyIden::Id).uuid().not_null().primary_key())
            .col(ColumnDef::new(ApiKeyIden::AccountId).uuid().not_null())
            .col(ColumnDef::new(ApiKeyIden::Name).text().not_null())
            .col(ColumnDef::new(ApiKeyIden::Prefix).text().not_null())
            .col(ColumnDef::new(ApiKeyIden::Hash).blob().not_null().unique_key())
            .col(ColumnDef::new(ApiKeyIden::Scopes).text().not_null())
            .col(ColumnDef::new(ApiKeyIden::CreatedAt).big_integer().not_null())
            .col(ColumnDef::new(ApiKeyIden::LastUsedAt).big_integer())
            .col(ColumnDef::new(ApiKeyIden::ExpiresAt).big_integer())
            .col(ColumnDef::new(ApiKeyIden::RevokedAt).big_integer())
            .foreign_key(&mut owner(ApiKeyIden::Table, ApiKeyIden::AccountId, "api_key_account"))
            .to_owned();
        manager.create_table(table).await?;
        let by_owner = Index::create()
            .name("api_key_owner")
            .table(ApiKeyIden::Table)
            .col(ApiKeyIden::AccountId)
            .to_owned();
        manager.create_index(by_owner).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(ApiKeyIden::Table).to_owned()).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

impl work::PlannedMigration for Migration {
    fn works(&self, _: DbBackend) -> Vec<work::Work> {
        work::new_tables(&["api_key"])
    }
}
