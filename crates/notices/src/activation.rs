//! Switches channels off and on. When a channel is switched on, the messages that it missed in the last seven days are
//! sent as one message. No messages are written for a channel that its owner switched off.

use async_recursion::async_recursion as boxed;
use entities::channel::{self, ChannelStatus, OffReason};
use entities::ids::{AccountId, ChannelId};
use entities::notice::{self, NoticeKind, NoticeState};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait,
    QueryFilter,
};

use super::capacity;
use super::channel::Channel;
use super::composer;
use super::dispatch::{self, NoticeRow};
use super::message::{MessageContent, NoticeSubject};
use super::rows::load;
use super::text::NOTICES;
use identity::accounts;
use kernel::{Code, Domain, Error, Result};
use language::Key;

/// Switches a channel off: from now on, nothing is sent to it or stored for it. The address of an unconfirmed channel
/// remains unconfirmed; otherwise, the channel could be switched on without the consent of the address's owner.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn switch_off(domain: &Domain, account_id: AccountId, id: ChannelId) -> Result<Channel> {
    let transaction = domain.db().begin().await?;
    let off = channel::ActiveModel {
        status: Set(ChannelStatus::Off),
        off_reason: Set(Some(OffReason::Person)),
        off_at: Set(Some(domain.now())),
        ..Default::default()
    };
    channel::Entity::update_many()
        .set(off)
        .filter(channel::Column::Id.eq(id))
        .filter(channel::Column::AccountId.eq(account_id))
        .filter(channel::Column::Status.ne(ChannelStatus::Unconfirmed))
        .exec(&transaction)
        .await?;
    let row = load(&transaction, account_id, id).await?;
    transaction.commit().await?;
    Ok(row.into())
}

/// Switches a channel on. The messages that it missed in the last seven days are sent as one message.
///
/// # Errors
/// `not_found`; `invalid_request` if the address is unconfirmed; `limit_reached` if the plan allows no
/// further active channel.
#[boxed]
pub async fn switch_on(domain: &Domain, account_id: AccountId, id: ChannelId) -> Result<Channel> {
    let transaction = domain.db().begin().await?;
    let plan = domain.policy().tiers.of(accounts::lock(&transaction, account_id).await?);
    let row = load(&transaction, account_id, id).await?;
    if row.status == ChannelStatus::Unconfirmed {
        return Err(Error::new(Code::InvalidRequest, "Confirm the address first."));
    }
    if row.status == ChannelStatus::Off {
        capacity::require_active_capacity(&transaction, account_id, plan).await?;
    }
    let row = activate(&transaction, domain, &row).await?;
    transaction.commit().await?;
    Ok(row.into())
}

/// Activates a channel and writes the summary of the messages that it missed.
pub(super) async fn activate(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    row: &channel::Model,
) -> Result<channel::Model> {
    let now = domain.now();
    let on = channel::ActiveModel {
        id: Set(row.id),
        status: Set(ChannelStatus::Active),
        off_reason: Set(None),
        off_at: Set(None),
        failing_since: Set(None),
        failures: Set(0),
        refusals: Set(0),
        ..Default::default()
    };
    let row = on.update(transaction).await?;
    let link = format!("{}/settings/channels/{}", domain.policy().account_url, row.id);
    let language = accounts::message_language(transaction, row.account_id).await?;
    let title = NOTICES.text(language, Key("missed-title")).get();
    let content = MessageContent::new(&title, "", link, now);
    summarize(transaction, domain, &row, &content).await?;
    dispatch::ensure_daily_digest(transaction, domain, &row).await?;
    Ok(row)
}

/// Writes the summary of the messages that a channel missed. If there are none when the summary is due, it is dropped.
async fn summarize(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    row: &channel::Model,
    content: &MessageContent,
) -> Result<()> {
    let now = domain.now();
    let missed = notice::Entity::owned_by(row.account_id)
        .filter(notice::Column::ChannelId.eq(row.id))
        .filter(notice::Column::State.is_in([NoticeState::Held, NoticeState::Failed]))
        .filter(notice::Column::CreatedAt.gte(now - composer::MAX_MISSED_AGE));
    if missed.count(transaction).await? == 0 {
        return Ok(());
    }
    let row = NoticeRow {
        channel: row,
        cause: format!("summary:{now}"),
        kind: NoticeKind::Summary,
        subject: NoticeSubject::Account,
        content,
        due_at: now,
        waits_for: None,
    };
    dispatch::write(transaction, domain, row).await.map(drop)
}
