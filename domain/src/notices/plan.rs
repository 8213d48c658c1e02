//! What follows for an account's channels when its plan changes.

use entities::channel::{self, ChannelKind, ChannelStatus, OffReason};
use entities::ids::AccountId;
use entities::notice::NoticeKind;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::message::Content;
use super::news::{Audience, News, tell};
use super::switches;
use crate::error::Result;
use crate::handle::Domain;
use crate::limits::{TierLimits, require_room};

/// Has an account's channels fit its plan, in the transaction that changes the plan: active ones beyond it are switched
/// off, newest first, and their owner is told by one that is left; those that an earlier plan had no room for are
/// switched on again, oldest first, and sent what they missed.
pub(crate) async fn apply_plan(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    plan: &TierLimits,
) -> Result<()> {
    let room = usize::try_from(plan.notification_channels).unwrap_or(usize::MAX);
    let all = channel::Entity::owned_by(account_id).order_by_asc(channel::Column::Id);
    let active =
        all.clone().filter(channel::Column::Status.eq(ChannelStatus::Active)).all(transaction).await?;
    if let Some((kept, beyond)) = active.split_at_checked(room).filter(|(_, beyond)| !beyond.is_empty()) {
        for row in beyond {
            switch_off(transaction, domain, row).await?;
        }
        return announce(transaction, domain, kept, beyond).await;
    }
    let left = room.saturating_sub(active.len()) as u64;
    let waiting = all
        .filter(channel::Column::Status.eq(ChannelStatus::Off))
        .filter(channel::Column::OffReason.eq(OffReason::Plan))
        .limit(left);
    for row in waiting.all(transaction).await? {
        switches::activate(transaction, domain, &row).await?;
    }
    Ok(())
}

/// Makes sure that the plan has room for one more active channel.
///
/// # Errors
/// `limit_reached`.
pub(super) async fn require_active_room(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    plan: &TierLimits,
) -> Result<()> {
    let active =
        channel::Entity::owned_by(account_id).filter(channel::Column::Status.eq(ChannelStatus::Active));
    let used = active.count(connection).await?;
    require_room("active channels", plan.notification_channels.into(), used)
}

/// Switches a channel off that the plan has no room for. What it misses is kept for a while.
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

/// Tells the owner by a channel that is left, mail first.
async fn announce(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    kept: &[channel::Model],
    beyond: &[channel::Model],
) -> Result<()> {
    let hears = |row: &&channel::Model| row.kind != ChannelKind::Mail || row.account_news;
    let Some(teller) = kept.iter().filter(hears).min_by_key(|row| row.kind != ChannelKind::Mail) else {
        return Ok(());
    };
    let now = domain.now();
    let title = match beyond {
        [one] => format!("The channel “{}” was switched off", one.name),
        several => format!("{} channels were switched off", several.len()),
    };
    let names: Vec<String> = beyond.iter().map(|row| format!("“{}”", row.name)).collect();
    let text = format!(
        "Your plan has room for {} active channels. Off are the newest: {}. What they miss is kept for seven days.",
        kept.len(),
        names.join(", ")
    );
    let link = format!("{}/settings/channels", domain.policy().account_url);
    let news = News {
        account_id: teller.account_id,
        cause: format!("plan:{now}"),
        kind: NoticeKind::ChannelOff,
        monitor_id: None,
        to: Audience::One(teller.id),
        content: Content::new(&title, &text, link, now),
    };
    tell(transaction, domain, news).await
}
