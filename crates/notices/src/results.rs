//! Messages about the changes of a monitor, with the state of their delivery.

use std::collections::HashMap;

use entities::ids::{AccountId, ChangeId, ChannelId, MonitorId};
use entities::notice::{HoldReason, NoticeState};
use entities::{channel, notice};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};

use kernel::Result;

/// Maximum number of messages that are read for a list of changes.
const MAX_READ: u64 = 5_000;

/// Message to a channel about a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeNotice {
    pub channel_id: ChannelId,
    /// Name of the channel.
    pub channel: String,
    pub state: NoticeState,
    /// Reason why the message waits.
    pub waits_for: Option<HoldReason>,
    /// HTTP status of the last response.
    pub status: Option<u16>,
}

/// Key of the event of a message about a change.
pub(super) fn cause_of(change: impl std::fmt::Display) -> String {
    format!("change:{change}")
}

/// Returns the messages about these changes of a monitor, by the id of the change.
pub async fn change_notices(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    monitor_id: MonitorId,
    changes: &[ChangeId],
) -> Result<HashMap<ChangeId, Vec<ChangeNotice>>> {
    let mut notices: HashMap<ChangeId, Vec<ChangeNotice>> = HashMap::new();
    if changes.is_empty() {
        return Ok(notices);
    }
    let causes: HashMap<String, ChangeId> = changes.iter().map(|id| (cause_of(id), *id)).collect();
    let rows = notice::Entity::owned_by(account_id)
        .filter(notice::Column::MonitorId.eq(monitor_id))
        .filter(notice::Column::Cause.is_in(causes.keys().cloned()))
        .order_by_asc(notice::Column::Id)
        .limit(MAX_READ)
        .all(connection)
        .await?;
    let channels = channel::Entity::owned_by(account_id).all(connection).await?;
    let names: HashMap<ChannelId, String> = channels.into_iter().map(|row| (row.id, row.name)).collect();
    for row in rows {
        let Some(change) = causes.get(&row.cause) else { continue };
        notices.entry(*change).or_default().push(ChangeNotice {
            channel_id: row.channel_id,
            channel: names.get(&row.channel_id).cloned().unwrap_or_default(),
            state: row.state,
            waits_for: row.held_for,
            status: row.status.and_then(|status| u16::try_from(status).ok()),
        });
    }
    Ok(notices)
}
