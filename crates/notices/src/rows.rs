//! Loads channels of an account.

use entities::channel;
use entities::ids::{AccountId, ChannelId};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};

use kernel::error::not_found;
use kernel::{Error, Result};

pub(super) async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: ChannelId,
) -> Result<channel::Model> {
    let row =
        channel::Entity::owned_by(account_id).filter(channel::Column::Id.eq(id)).one(connection).await?;
    row.ok_or_else(unknown_channel)
}

/// Error for a channel that does not exist or belongs to another account.
pub fn unknown_channel() -> Error {
    not_found("channel")
}
