//! Rows of this room: a monitor of its owner, its row as a [`Monitor`], and a content that it saw.

use entities::ids::{AccountId, MonitorId};
use entities::{monitor, monitor_snapshot};
use extract::watch::Snapshot;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};

use super::{Monitor, PauseReason, Status, TargetType, definition};
use crate::code::Code;
use crate::error::{Error, Result, not_found};

/// The row of an account's monitor.
///
/// # Errors
/// `not_found`.
pub(super) async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: MonitorId,
) -> Result<monitor::Model> {
    let row =
        monitor::Entity::owned_by(account_id).filter(monitor::Column::Id.eq(id)).one(connection).await?;
    row.ok_or_else(|| not_found("monitor"))
}

/// A stored content of a monitor, while it is kept.
pub(super) async fn find_snapshot(
    connection: &impl ConnectionTrait,
    monitor_id: MonitorId,
    hash: &str,
) -> Result<Option<Snapshot>> {
    let key = (monitor_id, hash.to_owned());
    let row = monitor_snapshot::Entity::of_any_owner(key).one(connection).await?;
    row.map(|row| Snapshot::decode(&row.content).map_err(Error::internal)).transpose()
}

impl TryFrom<monitor::Model> for Monitor {
    type Error = Error;

    fn try_from(row: monitor::Model) -> Result<Self> {
        let target_type = TargetType::parse(&row.target_type)
            .ok_or_else(|| Error::internal(format!("monitor {} is of no known type", row.id)))?;
        let status = Status::parse(&row.status)
            .ok_or_else(|| Error::internal(format!("monitor {} has no known status", row.id)))?;
        Ok(Self {
            id: row.id,
            name: row.name,
            target_url: row.target_url,
            target_type,
            definition: definition::read(&row.definition)?,
            interval_minutes: u32::try_from(row.interval_minutes).unwrap_or(0),
            status,
            pause_reason: row.pause_reason.as_deref().map(PauseReason::parse),
            next_run_at: row.next_run_at,
            feed_token: row.feed_token,
            is_followed: row.feed_id.is_some(),
            last_run_at: row.last_run_at,
            last_change_at: row.last_change_at,
            last_error: row.last_error_code.as_deref().map(Code::stored),
            failure_count: u32::try_from(row.failures).unwrap_or(0),
            created_at: row.created_at,
        })
    }
}
