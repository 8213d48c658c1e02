//! Effects of a plan change on an account's channels.

use async_recursion::async_recursion as boxed;
use entities::channel::{self, ChannelKind, ChannelStatus, OffReason};
use entities::ids::AccountId;
use entities::notice::NoticeKind;
use sea_orm::{ColumnTrait, DatabaseTransaction, QueryFilter, QueryOrder, QuerySelect};

use super::dispatch::{NewNotice, Recipients, notify};
use super::message::{MessageContent, NoticeSubject};
use super::text::NOTICES;
use super::{activation, capacity};
use identity::accounts::message_language;
use kernel::tiers::TierLimits;
use kernel::{Domain, Result};
use language::Key;

/// Adapts the channels of an account to its plan, in the transaction that changes the plan. If the plan allows fewer
/// channels, switches off the newest active channels, and notifies the owner through a remaining channel. If it allows
/// more, switches on the oldest channels that an earlier plan did not allow, and sends the messages that they missed.
#[boxed]
pub async fn apply_plan(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    plan: &TierLimits,
) -> Result<()> {
    let limit = usize::try_from(plan.notification_channels).unwrap_or(usize::MAX);
    let all = channel::Entity::owned_by(account_id).order_by_asc(channel::Column::Id);
    let active =
        all.clone().filter(channel::Column::Status.eq(ChannelStatus::Active)).all(transaction).await?;
    if let Some((remaining, beyond)) = active.split_at_checked(limit).filter(|(_, beyond)| !beyond.is_empty())
    {
        for row in beyond {
            capacity::switch_off(transaction, domain, row).await?;
        }
        return announce(transaction, domain, remaining, beyond).await;
    }
    let left = limit.saturating_sub(active.len()) as u64;
    let waiting = all
        .filter(channel::Column::Status.eq(ChannelStatus::Off))
        .filter(channel::Column::OffReason.eq(OffReason::Plan))
        .limit(left);
    for row in waiting.all(transaction).await? {
        activation::activate(transaction, domain, &row).await?;
    }
    Ok(())
}

/// Notifies the owner through a remaining channel. A mail channel is preferred.
async fn announce(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    remaining: &[channel::Model],
    beyond: &[channel::Model],
) -> Result<()> {
    let can_notify = |row: &&channel::Model| row.kind != ChannelKind::Mail || row.account_news;
    let Some(notifier) = remaining.iter().filter(can_notify).min_by_key(|row| row.kind != ChannelKind::Mail)
    else {
        return Ok(());
    };
    let now = domain.now();
    let language = message_language(transaction, notifier.account_id).await?;
    let title = match beyond {
        [one] => NOTICES.text(language, Key("off-title")).with("name", one.name.as_str()).get(),
        several => NOTICES.text(language, Key("plan-title")).with("count", several.len()).get(),
    };
    let quoted =
        |row: &channel::Model| NOTICES.text(language, Key("quoted")).with("name", row.name.as_str()).get();
    let names = beyond.iter().map(quoted).collect::<Vec<_>>().join(", ");
    let text =
        NOTICES.text(language, Key("plan-text")).with("limit", remaining.len()).with("names", names).get();
    let link = format!("{}/settings/channels", domain.policy().account_url);
    let news = NewNotice {
        account_id: notifier.account_id,
        cause: format!("plan:{now}"),
        kind: NoticeKind::ChannelOff,
        subject: NoticeSubject::Account,
        to: Recipients::One(notifier.id),
        content: MessageContent::new(&title, &text, link, now),
    };
    notify(transaction, domain, news).await
}
