//! Fingerprint of a monitor's settings. A call that created a monitor is undone only if the fingerprint is
//! unchanged.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, MonitorId};
use entities::monitor;
use sea_orm::{ColumnTrait, QueryFilter};
use sha2::{Digest, Sha256};

use super::manage::delete_in;
use super::monitor::PauseReason;
use super::rows::load;
use identity::accounts;
use kernel::{Domain, Result};

/// Computes the fingerprint of the settings that the owner of a monitor can change.
///
/// # Errors
/// `not_found` if the monitor does not exist.
#[boxed]
pub async fn settings_mark(domain: &Domain, account_id: AccountId, id: MonitorId) -> Result<i64> {
    Ok(mark(&load(domain.db().read(), account_id, id).await?))
}

/// Deletes a monitor unless its settings were changed. Returns true if it was deleted.
#[boxed]
pub async fn delete_unchanged(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    expected_mark: i64,
) -> Result<bool> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = monitor::Entity::owned_by(account_id).filter(monitor::Column::Id.eq(id));
    let Some(row) = row.one(&transaction).await? else { return Ok(false) };
    if mark(&row) != expected_mark {
        return Ok(false);
    }
    delete_in(&transaction, &row).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Computes the fingerprint of a monitor's settings. A pause because of the plan does not change it, because
/// the owner did not pause the monitor.
fn mark(row: &monitor::Model) -> i64 {
    let number = |number: Option<i32>| number.map(|number| number.to_string()).unwrap_or_default();
    let flag = |flag: bool| u8::from(flag).to_string();
    let parts = [
        row.name.clone(),
        row.target_url.clone(),
        row.definition.clone(),
        row.interval_minutes.to_string(),
        flag(row.pause_reason.as_deref() == Some(PauseReason::User.as_str())),
        row.notify.clone(),
        row.tags.clone(),
        row.schedule.clone().unwrap_or_default(),
        number(row.notify_failures),
        row.group_id.map(|id| id.to_string()).unwrap_or_default(),
        [row.own_interval, row.own_schedule, row.own_notify].map(flag).concat(),
    ];
    let mut hash = Sha256::new();
    for part in &parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let bytes: [u8; 32] = hash.finalize().into();
    i64::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]])
}
