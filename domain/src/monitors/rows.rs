//! What all files of this room need of the database: finding a monitor by its owner, and its row as a
//! [`Monitor`].

use entities::monitor;
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult};
use uuid::Uuid;

use crate::error::{Error, Result};
pub(super) use crate::error::{invalid_at, not_found};
pub(super) use crate::statement::{change, for_update, number, places, sql};

use super::{Monitor, PauseReason, Status, TargetType, definition};

/// The row of an account's monitor.
///
/// # Errors
/// `not_found`.
pub(super) async fn load(
    connection: &impl ConnectionTrait,
    account_id: Uuid,
    id: Uuid,
) -> Result<monitor::Model> {
    let text = "SELECT * FROM monitor WHERE account_id = $1 AND id = $2";
    let row = connection.query_one_raw(sql(connection, text, [account_id.into(), id.into()])).await?;
    row.as_ref().map(model).transpose()?.ok_or_else(|| not_found("monitor"))
}

/// A row of `monitor` as its model.
pub(super) fn model(row: &QueryResult) -> Result<monitor::Model> {
    Ok(monitor::Model::from_query_result(row, "")?)
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
            last_error: row.last_error_code,
            failure_count: u32::try_from(row.failures).unwrap_or(0),
            created_at: row.created_at,
        })
    }
}
