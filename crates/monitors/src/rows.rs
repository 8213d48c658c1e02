//! Loads rows of monitors and converts them to [`Monitor`]. Also loads stored snapshots, and changes without
//! their operations.

use entities::ids::{AccountId, ChangeId, MonitorId, MonitorRunId};
use entities::{account, monitor, monitor_change, monitor_snapshot};
use extract::watch::{Snapshot, Truths};
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect};

use super::group_settings::own_settings;
use super::memory::Memory;
use super::monitor::{Monitor, PauseReason, Status, TargetType};
use super::rules::interval_minutes;
use super::{definition, next_run, tags};
use identity::accounts;
use kernel::error::not_found;
use kernel::tiers::{Tier, TierLimits};
use kernel::{Code, Domain, Error, Millis, Result};

/// Name in the API for the suppression of a page that alternates between two contents.
const FLIPS: &str = "flips";

/// Loads the row of an account's monitor.
///
/// # Errors
/// `not_found` if the monitor does not exist.
pub(super) async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: MonitorId,
) -> Result<monitor::Model> {
    let row =
        monitor::Entity::owned_by(account_id).filter(monitor::Column::Id.eq(id)).one(connection).await?;
    row.ok_or_else(|| not_found("monitor"))
}

/// Loads the row of an account's monitor and locks it until the end of the transaction.
///
/// # Errors
/// `not_found` if the monitor does not exist.
pub(super) async fn lock(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    id: MonitorId,
) -> Result<monitor::Model> {
    let row = monitor::Entity::owned_by(account_id).filter(monitor::Column::Id.eq(id)).lock_exclusive();
    row.one(transaction).await?.ok_or_else(|| not_found("monitor"))
}

/// Loads a stored snapshot of a monitor. `None` if it is no longer retained.
pub(super) async fn find_snapshot(
    connection: &impl ConnectionTrait,
    monitor_id: MonitorId,
    hash: &str,
) -> Result<Option<Snapshot>> {
    let key = (monitor_id, hash.to_owned());
    let row = monitor_snapshot::Entity::of_any_owner(key).one(connection).await?;
    row.map(|row| Snapshot::decode(&row.content).map_err(Error::internal)).transpose()
}

/// Change without its operations: ids of the change, its monitor and its run, time, title, and summary.
pub(super) type ChangeLine = (ChangeId, MonitorId, MonitorRunId, Millis, String, String);

/// Reads the first `limit` of these changes without their operations.
pub(super) async fn read_change_lines(
    connection: &impl ConnectionTrait,
    changes: sea_orm::Select<monitor_change::Entity>,
    limit: u64,
) -> Result<Vec<ChangeLine>> {
    let lines: Vec<ChangeLine> = changes
        .limit(limit)
        .select_only()
        .columns([
            monitor_change::Column::Id,
            monitor_change::Column::MonitorId,
            monitor_change::Column::RunId,
            monitor_change::Column::DetectedAt,
            monitor_change::Column::Title,
            monitor_change::Column::Summary,
        ])
        .into_tuple()
        .all(connection)
        .await?;
    Ok(lines)
}

/// Limits of an account.
pub(super) async fn owner_plan(domain: &Domain, account_id: AccountId) -> Result<TierLimits> {
    accounts::limits(domain.db().read(), domain, account_id).await
}

pub(super) async fn owner_tier(domain: &Domain, account_id: AccountId) -> Result<Tier> {
    let owner = account::Entity::find_by_id(account_id).one(domain.db().read()).await?;
    let owner = owner.ok_or_else(|| not_found("account"))?;
    Ok(Tier::parse(&owner.tier).unwrap_or_default())
}

impl Monitor {
    /// Converts a row, with the plan of its owner.
    pub(super) fn of(row: &monitor::Model, plan: &TierLimits) -> Result<Self> {
        let target_type = TargetType::parse(&row.target_type)
            .ok_or_else(|| Error::internal(format!("monitor {} has an unknown type", row.id)))?;
        let status = Status::parse(&row.status)
            .ok_or_else(|| Error::internal(format!("monitor {} has an unknown status", row.id)))?;
        let memory = Memory::read(&row.masks);
        let definition = definition::read(&row.definition)?;
        let interval_minutes = interval_minutes(row.interval_minutes, plan);
        Ok(Self {
            id: row.id,
            name: row.name.clone(),
            target_url: row.target_url.clone(),
            target_type,
            interval_minutes,
            status,
            pause_reason: row.pause_reason.as_deref().map(PauseReason::parse),
            next_run_at: row.next_run_at,
            feed_token: row.feed_token.clone(),
            is_followed: row.feed_id.is_some(),
            last_run_at: row.last_run_at,
            last_change_at: row.last_change_at,
            last_error: row.last_error_code.as_deref().map(Code::from_stored),
            failure_count: u32::try_from(row.failures).unwrap_or(0),
            created_at: row.created_at,
            triggered: memory.truths.as_ref().and_then(Truths::holds),
            suppression: memory.is_flipping().then_some(FLIPS),
            masks: memory.describe_masks(),
            credits_per_month: next_run::credits_per_month(row, definition.cost(), plan),
            definition,
            notify: serde_json::from_str(&row.notify).unwrap_or_default(),
            tags: tags::read(&row.tags),
            schedule: next_run::schedule_of(row),
            next_runs: next_run::preview(row, plan),
            notify_failures: row.notify_failures.and_then(|count| u32::try_from(count).ok()),
            group: row.group_id,
            own_settings: own_settings(row),
        })
    }
}
