//! Link in messages about a monitor, by which readers snooze or mute the monitor for the channel without a session.
//! While a monitor is snoozed, messages about its changes wait; afterwards, they are sent as one message.

use async_recursion::async_recursion as boxed;
use entities::ids::{ChannelId, MonitorId};
use entities::notice::NoticeKind;
use entities::notice_snooze;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use super::sql;
use super::unsubscribe::{self, LinkTarget, UnsubscribeScope};
use identity::accounts;
use kernel::clock::DAY;
use kernel::error::not_found;
use kernel::{Domain, Millis, Result};

/// Context string bound into the signature of snooze links.
const BINDING: &str = "snooze of notices";

/// Choice of the reader of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnoozeChoice {
    /// No messages are sent for this many days.
    Days(u16),
    /// Messages are sent again from now on.
    Resume,
    /// No more messages about the monitor are sent to the channel.
    Mute,
}

impl SnoozeChoice {
    /// Choices that the page offers, with their names in the form.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("day", Self::Days(1)),
        ("week", Self::Days(7)),
        ("month", Self::Days(30)),
        ("resume", Self::Resume),
        ("mute", Self::Mute),
    ];

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| *name == word).map(|(_, choice)| *choice)
    }
}

/// Monitor and channel of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snooze {
    /// Name of the monitor.
    pub monitor: String,
    /// Name of the channel.
    pub channel: String,
    /// Time from which messages are sent again. `None` if they are not snoozed.
    pub until: Option<Millis>,
}

/// True if messages of this kind contain the link.
pub(super) fn has_link(kind: NoticeKind) -> bool {
    matches!(kind, NoticeKind::Change | NoticeKind::Several | NoticeKind::Failed)
}

/// Creates the link of a message.
pub(super) async fn link(domain: &Domain, channel_id: ChannelId, monitor_id: MonitorId) -> Result<String> {
    let payload = [channel_id.as_bytes().as_slice(), monitor_id.as_bytes()].concat();
    let sealed = domain.cursor_key().await?.seal(BINDING, &payload);
    Ok(format!("{}/notices/snooze?link={sealed}", domain.policy().account_url))
}

/// Returns the monitor and the channel of a link. Opening the link changes nothing.
///
/// # Errors
/// `not_found` if the link is invalid, or if its channel or monitor was deleted.
#[boxed]
pub async fn find_snooze(domain: &Domain, link: &str) -> Result<Snooze> {
    let (target, monitor_id) = find(domain, link).await?;
    let until = sql::snoozed_until(domain.db().write(), target.channel.id, monitor_id, domain.now()).await?;
    Ok(state(&target, until))
}

/// Applies the choice of the reader. Repeating it has no further effect.
///
/// # Errors
/// Same as for [`find_snooze`].
#[boxed]
pub async fn snooze(domain: &Domain, link: &str, choice: SnoozeChoice) -> Result<Snooze> {
    let (target, monitor_id) = find(domain, link).await?;
    let until = match choice {
        SnoozeChoice::Days(days) => Some(domain.now() + i64::from(days) * DAY),
        SnoozeChoice::Resume | SnoozeChoice::Mute => None,
    };
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, target.channel.account_id).await?;
    set(&transaction, target.channel.id, monitor_id, until).await?;
    transaction.commit().await?;
    let state = state(&target, until);
    if choice == SnoozeChoice::Mute {
        unsubscribe::stop(domain, &target).await?;
    }
    Ok(state)
}

async fn set(
    transaction: &DatabaseTransaction,
    channel_id: ChannelId,
    monitor_id: MonitorId,
    until: Option<Millis>,
) -> Result<()> {
    let Some(until) = until else {
        notice_snooze::Entity::delete_many()
            .filter(notice_snooze::Column::ChannelId.eq(channel_id))
            .filter(notice_snooze::Column::MonitorId.eq(monitor_id))
            .exec(transaction)
            .await?;
        return Ok(());
    };
    let row = notice_snooze::ActiveModel {
        channel_id: Set(channel_id),
        monitor_id: Set(monitor_id),
        until_at: Set(until),
    };
    let key = [notice_snooze::Column::ChannelId, notice_snooze::Column::MonitorId];
    let on_conflict = OnConflict::columns(key).update_column(notice_snooze::Column::UntilAt).to_owned();
    notice_snooze::Entity::insert(row).on_conflict(on_conflict).exec_without_returning(transaction).await?;
    Ok(())
}

fn state(target: &LinkTarget, until: Option<Millis>) -> Snooze {
    let monitor = target.monitor.as_ref().map(|monitor| monitor.name.clone()).unwrap_or_default();
    Snooze { monitor, channel: target.channel.name.clone(), until }
}

async fn find(domain: &Domain, link: &str) -> Result<(LinkTarget, MonitorId)> {
    let void = || not_found("link: the channel or the monitor is gone");
    let payload = domain.cursor_key().await?.open(BINDING, link).ok_or_else(void)?;
    let (channel_id, monitor_id) = payload.split_at_checked(16).ok_or_else(void)?;
    let channel_id = ChannelId::from_slice(channel_id).ok_or_else(void)?;
    let monitor_id = MonitorId::from_slice(monitor_id).ok_or_else(void)?;
    let scope = UnsubscribeScope::Monitor(monitor_id);
    Ok((unsubscribe::find_target(domain, channel_id, scope).await?, monitor_id))
}
