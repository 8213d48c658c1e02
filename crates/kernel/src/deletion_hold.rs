//! Holds of running backups: while one is active, no file is deleted, because the backup's copy of the database may
//! refer to it.

use entities::file_hold;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};

use crate::clock::Millis;
use crate::error::Result;

/// True if a hold prevents deletions of files at `now`, the time of the database's clock.
pub async fn is_active(connection: &impl ConnectionTrait, now: Millis) -> Result<bool> {
    let holds = file_hold::Entity::find().filter(file_hold::Column::ExpiresAt.gt(now));
    Ok(holds.count(connection).await? > 0)
}
