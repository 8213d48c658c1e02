//! Personal API keys: hash, scopes, and expiry. The key itself is not stored.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::m20261120_000100_account::owner;
use crate::work;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum ApiKey {
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
            .table(ApiKey::Table)
            .if_not_exists()
            .col(ColumnDef::new(ApiKey::Id).uuid().not_null().primary_key())
            .col(ColumnDef::new(ApiKey::AccountId).uuid().not_null())
            .col(ColumnDef::new(ApiKey::Name).text().not_null())
            .col(ColumnDef::new(ApiKey::Prefix).text().not_null())
            .col(ColumnDef::new(ApiKey::Hash).blob().not_null().unique_key())
            .col(ColumnDef::new(ApiKey::Scopes).text().not_null())
            .col(ColumnDef::new(ApiKey::CreatedAt).big_integer().not_null())
            .col(ColumnDef::new(ApiKey::LastUsedAt).big_integer())
            .col(ColumnDef::new(ApiKey::ExpiresAt).big_integer())
            .col(ColumnDef::new(ApiKey::RevokedAt).big_integer())
            .foreign_key(&mut owner(ApiKey::Table, ApiKey::AccountId, "api_key_account"))
            .to_owned();
        manager.create_table(table).await?;
        let by_owner =
            Index::create().name("api_key_owner").table(ApiKey::Table).col(ApiKey::AccountId).to_owned();
        manager.create_index(by_owner).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(ApiKey::Table).to_owned()).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

impl work::Step for Migration {
    fn works(&self, _: DbBackend) -> Vec<work::Work> {
        work::new_tables(&["api_key"])
    }
}
