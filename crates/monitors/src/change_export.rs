//! Changes of monitors for the export of an account.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChangeId, MonitorId};
use entities::monitor;
use extract::watch::Operation;
use sea_orm::{QueryOrder, QuerySelect};
use serde::Serialize;

use super::changes::list_changes;
use super::monitor::ListRange;
use kernel::{Domain, Millis, Result};

/// Maximum number of changes per page. Operations of one change can be large.
const PAGE: u32 = 10;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedChange {
    /// Name of the monitor.
    monitor: String,
    detected_at: Millis,
    previous_check_at: Option<Millis>,
    kind: String,
    url: String,
    title: String,
    summary: String,
    operations: Vec<Operation>,
}

/// Page of the changes of a monitor, newest first.
#[derive(Debug)]
pub struct ExportedChanges {
    pub changes: Vec<ExportedChange>,
    /// Change after which the next page starts. `None` if this page is the last.
    pub next_after: Option<ChangeId>,
}

/// Returns the ids and names of the account's monitors, the oldest first.
#[boxed]
pub async fn monitor_names(domain: &Domain, account_id: AccountId) -> Result<Vec<(MonitorId, String)>> {
    let names = monitor::Entity::owned_by(account_id)
        .select_only()
        .columns([monitor::Column::Id, monitor::Column::Name])
        .order_by_asc(monitor::Column::Id);
    Ok(names.into_tuple().all(domain.db().read()).await?)
}

/// Exports a page of the changes of a monitor after the change `after`. `name` is the name of the monitor.
///
/// # Errors
/// `not_found` if the monitor does not exist.
#[boxed]
pub async fn export_changes(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    name: &str,
    after: Option<ChangeId>,
) -> Result<ExportedChanges> {
    let page = list_changes(domain, account_id, id, ListRange { after, limit: PAGE }).await?;
    let changes = page.changes.into_iter().map(|change| ExportedChange {
        monitor: name.to_owned(),
        detected_at: change.detected_at,
        previous_check_at: change.previous_check_at,
        kind: change.kind,
        url: change.url,
        title: change.title,
        summary: change.summary,
        operations: change.operations,
    });
    Ok(ExportedChanges { changes: changes.collect(), next_after: page.next_after })
}
