//! Daily quota usage of accounts, one row per account, quota, and UTC day.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::m20261120_000100_account::owner;
use crate::work;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum UsageDay {
    Table,
    AccountId,
    Quota,
    Day,
    Used,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let key = Index::create().col(UsageDay::AccountId).col(UsageDay::Quota).col(UsageDay::Day).to_owned();
        let table = Table::create()
            .table(UsageDay::Table)
            .if_not_exists()
            .col(ColumnDef::new(UsageDay::AccountId).uuid().not_null())
            .col(ColumnDef::new(UsageDay::Quota).text().not_null())
            .col(ColumnDef::new(UsageDay::Day).big_integer().not_null())
            .col(ColumnDef::new(UsageDay::Used).big_integer().not_null())
            .primary_key(&mut key.clone())
            .foreign_key(&mut owner(UsageDay::Table, UsageDay::AccountId, "usage_day_account"))
            .to_owned();
        manager.create_table(table).await?;
        let by_day =
            Index::create().name("usage_day_day").table(UsageDay::Table).col(UsageDay::Day).to_owned();
        manager.create_index(by_day).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(UsageDay::Table).to_owned()).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

impl work::PlannedMigration for Migration {
    fn works(&self, _: DbBackend) -> Vec<work::Work> {
        work::new_tables(&["usage_day"])
    }
}
