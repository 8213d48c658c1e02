//! The few words in which the two databases' table definitions differ.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

/// Runs statements in which `{serial}` stands for a primary key that counts up and never comes back,
/// `{uuid}` for the type of a UUID, and `{bytes}` for that of bytes.
pub(crate) async fn run_all(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    let (serial, uuid, bytes) = match manager.get_database_backend() {
        DbBackend::Postgres => ("bigserial PRIMARY KEY", "uuid", "bytea"),
        _ => ("integer PRIMARY KEY AUTOINCREMENT", "uuid_text", "blob"),
    };
    for statement in statements {
        let sql = statement.replace("{serial}", serial).replace("{uuid}", uuid).replace("{bytes}", bytes);
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}
