//! Accounts, their sessions, and invitations.
//!
//! Rows of an account are deleted with it by the rules of the capabilities. The foreign keys are a safeguard.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::work;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
pub(crate) enum AccountIden {
    #[sea_orm(iden = "account")]
    Table,
    Id,
    Email,
    PasswordHash,
    Tier,
    CreatedAt,
    PasswordChangedAt,
    DisabledAt,
}

#[derive(DeriveIden)]
enum SessionIden {
    #[sea_orm(iden = "session")]
    Table,
    Hash,
    AccountId,
    CreatedAt,
    LastSeenAt,
    ExpiresAt,
}

#[derive(DeriveIden)]
enum Invite {
    Table,
    Hash,
    Tier,
    CreatedAt,
    ExpiresAt,
}

/// Creates a foreign key from `column` to the account that owns the row. The row is deleted with its owner.
pub(crate) fn owner(table: impl IntoIden, column: impl IntoIden, name: &str) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .name(name)
        .from(table, column)
        .to(AccountIden::Table, AccountIden::Id)
        .on_delete(ForeignKeyAction::Cascade)
        .to_owned()
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(account()).await?;
        manager.create_table(session()).await?;
        let by_owner = Index::create()
            .name("session_owner")
            .table(SessionIden::Table)
            .col(SessionIden::AccountId)
            .to_owned();
        manager.create_index(by_owner).await?;
        manager.create_table(invite()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(Invite::Table).to_owned()).await?;
        manager.drop_table(Table::drop().table(SessionIden::Table).to_owned()).await?;
        manager.drop_table(Table::drop().table(AccountIden::Table).to_owned()).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

fn account() -> TableCreateStatement {
    Table::create()
        .table(AccountIden::Table)
        .if_not_exists()
        .col(ColumnDef::new(AccountIden::Id).uuid().not_null().primary_key())
        .col(ColumnDef::new(AccountIden::Email).text().not_null().unique_key())
        .col(ColumnDef::new(AccountIden::PasswordHash).text().not_null())
        .col(ColumnDef::new(AccountIden::Tier).text().not_null())
        .col(ColumnDef::new(AccountIden::CreatedAt).big_integer().not_null())
        .col(ColumnDef::new(AccountIden::PasswordChangedAt).big_integer().not_null())
        .col(ColumnDef::new(AccountIden::DisabledAt).big_integer())
        .to_owned()
}

fn session() -> TableCreateStatement {
    Table::create()
        .table(SessionIden::Table)
        .if_not_exists()
        .col(ColumnDef::new(SessionIden::Hash).blob().not_null().primary_key())
        .col(ColumnDef::new(SessionIden::AccountId).uuid().not_null())
        .col(ColumnDef::new(SessionIden::CreatedAt).big_integer().not_null())
        .col(ColumnDef::new(SessionIden::LastSeenAt).big_integer().not_null())
        .col(ColumnDef::new(SessionIden::ExpiresAt).big_integer().not_null())
        .foreign_key(&mut owner(SessionIden::Table, SessionIden::AccountId, "session_account"))
        .to_owned()
}

fn invite() -> TableCreateStatement {
    Table::create()
        .table(Invite::Table)
        .if_not_exists()
        .col(ColumnDef::new(Invite::Hash).blob().not_null().primary_key())
        .col(ColumnDef::new(Invite::Tier).text().not_null())
        .col(ColumnDef::new(Invite::CreatedAt).big_integer().not_null())
        .col(ColumnDef::new(Invite::ExpiresAt).big_integer().not_null())
        .to_owned()
}

impl work::PlannedMigration for Migration {
    fn works(&self, _: DbBackend) -> Vec<work::Work> {
        work::new_tables(&["account", "session", "invite"])
    }
}
