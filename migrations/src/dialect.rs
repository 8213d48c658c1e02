//! The few words in which the two databases' table definitions differ.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

/// How long a statement may wait for a table; those who come after it wait as long at most.
pub(crate) const LOCK_WAIT: &str = "1s";

/// Runs statements in which `{serial}` stands for a primary key that counts up and never comes back,
/// `{uuid}` for the type of a UUID, `{bytes}` for that of bytes, `{computed}` for how a computed column is kept
/// when it comes to a table later, and `{unlogged}` for a table that need not outlive a crash. They stand in a transaction.
pub(crate) async fn run_all(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    let (serial, uuid, bytes, computed, unlogged) = match manager.get_database_backend() {
        DbBackend::Postgres => ("bigserial PRIMARY KEY", "uuid", "bytea", "STORED", "UNLOGGED"),
        _ => ("integer PRIMARY KEY AUTOINCREMENT", "uuid_text", "blob", "VIRTUAL", ""),
    };
    if manager.get_database_backend() == DbBackend::Postgres {
        // Whoever comes after a step that waits for a table waits as well. The step is tried again.
        let limit = format!("SET LOCAL lock_timeout = '{LOCK_WAIT}'");
        manager.get_connection().execute_unprepared(&limit).await?;
    }
    for statement in statements {
        let sql = statement
            .replace("{serial}", serial)
            .replace("{uuid}", uuid)
            .replace("{bytes}", bytes)
            .replace("{computed}", computed)
            .replace("{unlogged}", unlogged);
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}

/// The migration of a file: what carries its parts out, whether that stands in one transaction, and the parts to go up and
/// to go down. It is named for its file.
macro_rules! step {
    ($carry_out:path, $in_transaction:literal, $up:expr, $down:expr) => {
        use sea_orm_migration::prelude::*;

        #[derive(DeriveMigrationName)]
        pub(crate) struct Migration;

        #[async_trait::async_trait]
        impl MigrationTrait for Migration {
            async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
                $carry_out(manager, $up).await
            }

            async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
                $carry_out(manager, $down).await
            }

            fn use_transaction(&self) -> Option<bool> {
                Some($in_transaction)
            }
        }
    };
}

/// A [`step!`] of two lists of statements, each in one transaction.
macro_rules! migration {
    ($up:expr, $down:expr) => {
        $crate::dialect::step!($crate::dialect::run_all, true, $up, $down);
    };
}

pub(crate) use {migration, step};
