//! Limit on the active channels of an account.

use entities::channel::{self, ChannelStatus, OffReason};
use entities::ids::AccountId;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, PaginatorTrait,
    QueryFilter,
};

use identity::limits::check_plan_limit;
use kernel::tiers::TierLimits;
use kernel::{Domain, Result};

/// Checks that the plan allows another active channel.
///
/// # Errors
/// `limit_reached`.
pub(super) async fn require_active_capacity(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    plan: &TierLimits,
) -> Result<()> {
    let active =
        channel::Entity::owned_by(account_id).filter(channel::Column::Status.eq(ChannelStatus::Active));
    let used = active.count(connection).await?;
    check_plan_limit("active channels", plan.notification_channels.into(), used)
}

/// Switches off a channel that the plan does not allow. Its messages are retained for some time.
pub(super) async fn switch_off(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    row: &channel::Model,
) -> Result<channel::Model> {
    let off = channel::ActiveModel {
        id: Set(row.id),
        status: Set(ChannelStatus::Off),
        off_reason: Set(Some(OffReason::Plan)),
        off_at: Set(Some(domain.now())),
        ..Default::default()
    };
    Ok(off.update(transaction).await?)
}
