//! Addresses that stay reserved for an account while a change of its e-mail address can be reverted.

use entities::email_change;
use entities::ids::AccountId;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use kernel::{Millis, Result};

/// Returns whether an account other than `account_id` can still return to this address.
pub(super) async fn is_reserved(
    connection: &impl ConnectionTrait,
    email: &str,
    account_id: AccountId,
    now: Millis,
) -> Result<bool> {
    let reservation = email_change::Entity::find()
        .filter(email_change::Column::OldEmail.eq(email))
        .filter(email_change::Column::AccountId.ne(account_id))
        .filter(email_change::Column::ConfirmedAt.is_not_null())
        .filter(email_change::Column::ExpiresAt.gt(now))
        .one(connection)
        .await?;
    Ok(reservation.is_some())
}
