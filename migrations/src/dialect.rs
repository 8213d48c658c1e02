//! Differences between the table definitions of the two databases.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

/// Maximum time for which a statement waits for a table lock, and therefore also for which other statements
/// are queued behind it. With the execution of the statement it stays below a second.
pub(crate) const LOCK_WAIT: &str = "750ms";

/// Runs statements in the caller's transaction. Placeholders: `{serial}` is an auto-incrementing primary key
/// whose values are never reused, `{uuid}` the type of UUIDs, `{bytes}` the type of byte strings,
/// `{computed}` the storage of a computed column that is added to an existing table, and `{unlogged}` marks a
/// table whose rows may be lost in a crash.
pub(crate) async fn run_all(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    let (serial, uuid, bytes, computed, unlogged) = match manager.get_database_backend() {
        DbBackend::Postgres => ("bigserial PRIMARY KEY", "uuid", "bytea", "STORED", "UNLOGGED"),
        _ => ("integer PRIMARY KEY AUTOINCREMENT", "uuid_text", "blob", "VIRTUAL", ""),
    };
    if manager.get_database_backend() == DbBackend::Postgres {
        // While the migration waits for a table lock, other statements on the table are queued behind it.
        // After the timeout, the migration is retried.
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

/// Defines the migration of a file, named after the file: the function that runs its parts, whether it runs
/// in one transaction, and the parts of the up and down migrations. The plan of a migration consists of the
/// plans of its parts.
macro_rules! step {
    ($run_parts:path, $in_transaction:literal, $up:expr, $down:expr) => {
        use sea_orm_migration::prelude::*;

        #[derive(DeriveMigrationName)]
        pub(crate) struct Migration;

        #[async_trait::async_trait]
        impl MigrationTrait for Migration {
            async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
                $run_parts(manager, $up).await
            }

            async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
                $run_parts(manager, $down).await
            }

            fn use_transaction(&self) -> Option<bool> {
                Some($in_transaction)
            }
        }

        impl $crate::work::PlannedMigration for Migration {
            fn works(&self, backend: sea_orm_migration::sea_orm::DbBackend) -> Vec<$crate::work::Work> {
                $crate::work::Listed::works($up, backend)
            }
        }
    };
}

/// Defines a [`step!`] from two lists of statements, each run in one transaction.
macro_rules! migration {
    ($up:expr, $down:expr) => {
        $crate::dialect::step!($crate::dialect::run_all, true, $up, $down);
    };
}

pub(crate) use {migration, step};
