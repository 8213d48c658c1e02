//! Holds: while a backup copies files, no file is deleted, because the backup's copy of the database may
//! refer to it. If the backup is killed, its hold expires.

use async_recursion::async_recursion as boxed;
use entities::file_hold;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, EntityTrait, QueryFilter};
use uuid::Uuid;

use kernel::{Domain, Millis, Result, deletion_hold};

/// Defers all deletions of files for `lifetime` from now. If the hold `id` exists, it is renewed.
#[boxed]
pub async fn hold_deletions(domain: &Domain, id: Uuid, lifetime: Millis) -> Result<()> {
    let connection = domain.db().write();
    let now = jobs::database_time(connection, domain).await?;
    let hold = file_hold::ActiveModel { id: Set(id), expires_at: Set(now + lifetime) };
    let renewed =
        OnConflict::column(file_hold::Column::Id).update_column(file_hold::Column::ExpiresAt).to_owned();
    file_hold::Entity::insert(hold).on_conflict(renewed).exec_without_returning(connection).await?;
    Ok(())
}

/// Releases the hold `id`, and deletes expired holds.
#[boxed]
pub async fn release_hold(domain: &Domain, id: Uuid) -> Result<()> {
    let connection = domain.db().write();
    let now = jobs::database_time(connection, domain).await?;
    let is_over =
        Condition::any().add(file_hold::Column::Id.eq(id)).add(file_hold::Column::ExpiresAt.lte(now));
    file_hold::Entity::delete_many().filter(is_over).exec(connection).await?;
    Ok(())
}

/// Returns true if a hold prevents deletions of files.
#[boxed]
pub async fn is_hold_active(domain: &Domain) -> Result<bool> {
    let connection = domain.db().write();
    let now = jobs::database_time(connection, domain).await?;
    deletion_hold::is_active(connection, now).await
}
