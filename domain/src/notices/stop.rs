//! The link in every mail about monitors that ends these mails, without a session: of one monitor, or of all of them for
//! mails about several.

use entities::ids::{ChannelId, MonitorId};
use entities::notice::{self, NoticeKind, NoticeState};
use entities::{channel, monitor};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter,
};

use super::sql;
use crate::accounts;
use crate::error::{Error, Result, not_found};
use crate::handle::Domain;

/// What links are signed for.
const BINDING: &str = "end of notices";

/// What a link ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Where the messages go.
    pub address: String,
    /// The monitor; none for all of them.
    pub monitor: Option<String>,
}

/// The link that ends messages to a channel about a monitor, or about all.
pub(super) async fn link(
    domain: &Domain,
    channel_id: ChannelId,
    monitor_id: Option<MonitorId>,
) -> Result<String> {
    let monitor = monitor_id.unwrap_or(MonitorId::from_u128(0));
    let payload = [channel_id.as_bytes().as_slice(), monitor.as_bytes()].concat();
    let sealed = domain.cursor_key().await?.seal(BINDING, &payload);
    Ok(format!("{}/notices/stop?link={sealed}", domain.policy().account_url))
}

/// What a link ends. Opening it ends nothing.
///
/// # Errors
/// `not_found` for a link that is none, or whose channel or monitor is gone.
pub async fn find_stop(domain: &Domain, link: &str) -> Result<Stop> {
    let (channel, monitor) = find(domain, link).await?;
    Ok(Stop { address: channel.shown, monitor: monitor.map(|monitor| monitor.name) })
}

/// Ends the messages that a link is about, those too that wait to be sent. Doing it twice is no fault.
///
/// # Errors
/// `not_found`, as [`find_stop`].
pub async fn stop(domain: &Domain, link: &str) -> Result<Stop> {
    let (channel, monitor) = find(domain, link).await?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, channel.account_id).await?;
    match &monitor {
        None => sql::forget_channel(&transaction, channel.account_id, channel.id).await?,
        Some(found) => {
            let held = monitor::Entity::owned_by(channel.account_id).filter(monitor::Column::Id.eq(found.id));
            if let Some(row) = held.one(&transaction).await? {
                let listed: Vec<ChannelId> = serde_json::from_str(&row.notify).unwrap_or_default();
                let left: Vec<ChannelId> = listed.into_iter().filter(|id| *id != channel.id).collect();
                let notify = serde_json::to_string(&left).map_err(Error::internal)?;
                let ended =
                    monitor::ActiveModel { id: Set(row.id), notify: Set(notify), ..Default::default() };
                ended.update(&transaction).await?;
            }
        }
    }
    drop_waiting(&transaction, &channel, monitor.as_ref()).await?;
    transaction.commit().await?;
    Ok(Stop { address: channel.shown, monitor: monitor.map(|monitor| monitor.name) })
}

/// Drops what is to be sent to a channel about a monitor, or about all. Their jobs find nothing to send.
async fn drop_waiting(
    transaction: &DatabaseTransaction,
    channel: &channel::Model,
    monitor: Option<&monitor::Model>,
) -> Result<()> {
    let about = if let Some(found) = monitor {
        notice::Column::MonitorId.eq(found.id)
    } else {
        let of_monitors = [NoticeKind::Change, NoticeKind::Failed, NoticeKind::Digest, NoticeKind::Several];
        notice::Column::Kind.is_in(of_monitors)
    };
    notice::Entity::delete_many()
        .filter(notice::Column::ChannelId.eq(channel.id))
        .filter(notice::Column::State.is_in([NoticeState::Waiting, NoticeState::Held]))
        .filter(about)
        .exec(transaction)
        .await?;
    Ok(())
}

async fn find(domain: &Domain, link: &str) -> Result<(channel::Model, Option<monitor::Model>)> {
    let void = || not_found("link: the channel or the monitor is gone");
    let payload = domain.cursor_key().await?.open(BINDING, link).ok_or_else(void)?;
    let (channel_id, monitor_id) = payload.split_at_checked(16).ok_or_else(void)?;
    let channel_id = ChannelId::from_slice(channel_id).ok_or_else(void)?;
    let monitor_id = MonitorId::from_slice(monitor_id).ok_or_else(void)?;
    let channel = channel::Entity::of_any_owner(channel_id).one(domain.db().write()).await?;
    let channel = channel.ok_or_else(void)?;
    if monitor_id == MonitorId::from_u128(0) {
        return Ok((channel, None));
    }
    let of_owner = monitor::Entity::owned_by(channel.account_id).filter(monitor::Column::Id.eq(monitor_id));
    let monitor = of_owner.one(domain.db().write()).await?.ok_or_else(void)?;
    Ok((channel, Some(monitor)))
}
