//! Stored explanations of changes, written by the language model.

use std::collections::HashMap;

use entities::ids::{AccountId, ChangeId, MonitorId};
use entities::model_task::ModelTaskState;
use entities::monitor_explanation::{Column, Entity, Model};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};

use kernel::{Millis, Result};

/// Explanation of a change by the language model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeExplanation {
    pub state: ModelTaskState,
    /// Plain text on one line. `None` unless the state is `ready`.
    pub sentence: Option<String>,
    /// True if the change is relevant to the owner's wish. `None` unless the model has decided.
    pub is_relevant: Option<bool>,
    /// True if no channel was notified because the change is not relevant.
    pub is_withheld: bool,
    /// Error code of a failed request.
    pub reason: Option<String>,
    /// Name of the model that answered.
    pub model: Option<String>,
    pub finished_at: Option<Millis>,
}

impl From<Model> for ChangeExplanation {
    fn from(row: Model) -> Self {
        Self {
            state: row.state,
            sentence: row.sentence,
            is_relevant: row.is_relevant,
            is_withheld: row.only_relevant && row.is_relevant == Some(false),
            reason: row.reason,
            model: row.model,
            finished_at: row.finished_at,
        }
    }
}

/// Loads the explanations of changes. Changes without an explanation are omitted.
pub(super) async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    changes: &[ChangeId],
) -> Result<HashMap<ChangeId, ChangeExplanation>> {
    if changes.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = Entity::owned_by(account_id).filter(Column::ChangeId.is_in(changes.iter().copied()));
    let rows = rows.all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.change_id, row.into())).collect())
}

/// Loads the explanations of the newest `limit` explained changes of a monitor.
pub(super) async fn newest(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    monitor_id: MonitorId,
    limit: u64,
) -> Result<HashMap<ChangeId, ChangeExplanation>> {
    let rows = Entity::owned_by(account_id)
        .filter(Column::MonitorId.eq(monitor_id))
        .order_by_desc(Column::ChangeId)
        .limit(limit)
        .all(connection)
        .await?;
    Ok(rows.into_iter().map(|row| (row.change_id, row.into())).collect())
}
