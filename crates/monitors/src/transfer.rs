//! Exports and imports definitions of monitors, without secrets.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, MonitorId};
use entities::monitor;
use sea_orm::QueryOrder;
use serde::{Deserialize, Serialize};

use super::calendar::Schedule;
use super::edit::{Edit, update};
use super::group_settings::{GroupSetting, own_settings};
use super::groups::{GroupEdit, create_group, find_named, list_groups};
use super::manage::{MonitorOptions, NewMonitor, create};
use super::monitor::{Definition, Status};
use super::rows::owner_plan;
use super::rules::LONGEST_MINUTES;
use super::{definition, next_run, step_secrets, tags};
use articles::Address;
use kernel::bounds::MONITOR_NOTIFY_FAILURES;
use kernel::json_bounds::count_values;
use kernel::{Code, Domain, Error, ImportedObjects, Result};

/// Maximum number of monitors that are read from a list. It exceeds the limit of every plan, and is small
/// enough for a single job.
const MAX_MONITORS: u64 = 1_000;
/// Maximum number of JSON values and member names in a list.
const MAX_VALUES: usize = 1_000_000;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExportedMonitor {
    pub(super) name: String,
    pub(super) target_url: String,
    pub(super) definition: Definition,
    pub(super) interval_minutes: u32,
    pub(super) status: String,
    #[serde(default)]
    pub(super) tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Schedule::is_default")]
    pub(super) schedule: Schedule,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) notify_failures: Option<u32>,
    /// True if the monitor has credentials, or steps with secret texts. They are not exported.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) needs_credentials: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<ExportedGroup>,
}

/// Group of an exported monitor. Like those of a monitor, its channels are not exported.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExportedGroup {
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interval_minutes: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schedule: Option<Schedule>,
    /// Settings of the monitor that do not follow the group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    own_settings: Vec<String>,
}

/// Exports the account's monitors as a JSON list, the oldest first.
#[boxed]
pub async fn export_definitions(domain: &Domain, account_id: AccountId) -> Result<String> {
    let rows = monitor::Entity::owned_by(account_id)
        .order_by_asc(monitor::Column::Id)
        .all(domain.db().read())
        .await?;
    let groups = list_groups(domain, account_id).await?;
    let mut lines = Vec::with_capacity(rows.len());
    for row in rows {
        let group = groups.iter().find(|group| Some(group.id) == row.group_id).map(|group| ExportedGroup {
            name: group.name.clone(),
            interval_minutes: group.interval_minutes,
            schedule: group.schedule.clone(),
            own_settings: own_settings(&row).into_iter().map(|own| own.as_str().to_owned()).collect(),
        });
        let mut definition = definition::read(&row.definition)?;
        let schedule = next_run::schedule_of(&row);
        let lacks_secrets = step_secrets::remove(&mut definition);
        lines.push(ExportedMonitor {
            name: row.name,
            target_url: row.target_url,
            needs_credentials: definition.request.credentials.take().is_some() || lacks_secrets,
            definition,
            interval_minutes: u32::try_from(row.interval_minutes).unwrap_or_default(),
            status: row.status,
            tags: tags::read(&row.tags),
            schedule,
            notify_failures: row.notify_failures.and_then(|count| u32::try_from(count).ok()),
            group,
        });
    }
    serde_json::to_string_pretty(&lines).map_err(kernel::error::Error::internal)
}

/// Imports monitors from a list that [`export_definitions`] created. Existing monitors are not changed. A monitor
/// that was not active or that needs credentials is imported as paused. All entries beyond 1,000 are reported as one
/// failure.
///
/// # Errors
/// Returns transient database errors. A list that cannot be parsed is reported as a failure of entry 1.
#[boxed]
pub async fn import_definitions(
    domain: &Domain,
    account_id: AccountId,
    list: &[u8],
) -> Result<ImportedObjects> {
    const NAME: &str = "a monitor";
    let mut imported = ImportedObjects::default();
    let Some(lines) = read_lines(list.to_vec()).await? else {
        imported.fail(1, NAME, Code::InvalidRequest);
        return Ok(imported);
    };
    for (number, line) in (1..).zip(lines) {
        if number > MAX_MONITORS {
            imported.fail(number, NAME, Code::PayloadTooLarge);
            break;
        }
        let Ok(line) = serde_json::from_value::<ExportedMonitor>(line) else {
            imported.fail(number, NAME, Code::InvalidRequest);
            continue;
        };
        let result = import_monitor(domain, account_id, line).await;
        imported.record(number, NAME, result)?;
    }
    Ok(imported)
}

/// Object that contains an exported list.
#[derive(Deserialize)]
struct ExportFile {
    monitors: Vec<serde_json::Value>,
}

/// Splits an exported list into unparsed entries. The file is a list, or an object with the list in its
/// member `monitors`. `None` if it is neither, or if it has too many values.
pub(super) async fn read_lines(file: Vec<u8>) -> Result<Option<Vec<serde_json::Value>>> {
    if count_values(&file, MAX_VALUES).is_err() {
        return Ok(None);
    }
    let parsing = tokio::task::spawn_blocking(move || {
        if file.trim_ascii_start().starts_with(b"{") {
            return serde_json::from_slice(&file).ok().map(|file: ExportFile| file.monitors);
        }
        serde_json::from_slice(&file).ok()
    });
    parsing.await.map_err(Error::internal)
}

async fn import_monitor(domain: &Domain, account_id: AccountId, line: ExportedMonitor) -> Result<()> {
    let is_active = line.status == Status::Active.as_str() && !line.needs_credentials;
    let new = NewMonitor {
        name: line.name,
        address: Address::parse(domain, &line.target_url)?,
        definition: line.definition,
        interval_minutes: Some(line.interval_minutes),
        follow: false,
        notify: Vec::new(),
        tags: line.tags,
        options: imported_options(line.schedule, line.notify_failures),
    };
    let made = create(domain, account_id, new).await?;
    if made.already_exists {
        return Ok(());
    }
    if !is_active {
        let pause = Edit { status: Some(Status::Paused), ..Edit::default() };
        update(domain, account_id, made.monitor.id, pause).await?;
    }
    match &line.group {
        Some(group) => join_group(domain, account_id, made.monitor.id, group).await,
        None => Ok(()),
    }
}

/// Adds an imported monitor to the account's group with the same name as the exported group. If this group
/// does not exist, it is created.
///
/// # Errors
/// `limit_reached`, `invalid_request`, `interval_too_short`.
pub(super) async fn join_group(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    group: &ExportedGroup,
) -> Result<()> {
    let known = find_named(domain.db().write(), account_id, &group.name).await?;
    let group_id = if let Some(known) = known {
        known
    } else {
        let least = owner_plan(domain, account_id).await?.web_monitor_minimum_interval_minutes;
        let minutes = group.interval_minutes.map(|minutes| minutes.min(LONGEST_MINUTES).max(least));
        let new = GroupEdit {
            name: Some(group.name.clone()),
            interval_minutes: Some(minutes),
            schedule: Some(group.schedule.clone()),
            ..GroupEdit::default()
        };
        create_group(domain, account_id, new).await?.id
    };
    let own = group.own_settings.iter().filter_map(|word| GroupSetting::parse(word)).collect();
    let joining = Edit { group: Some(Some(group_id)), own_settings: Some(own), ..Edit::default() };
    update(domain, account_id, id, joining).await.map(drop)
}

/// Options of an imported monitor. They contain no credentials and no secret texts of steps.
pub(super) fn imported_options(schedule: Schedule, notify_failures: Option<u32>) -> MonitorOptions {
    let notify_failures = notify_failures.map(|count| count.clamp(1, MONITOR_NOTIFY_FAILURES));
    MonitorOptions { schedule, notify_failures, may_lack_secrets: true, ..MonitorOptions::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::testing::{TestDatabase, person};
    use kernel::tiers::Tier;

    #[tokio::test]
    async fn credentials_are_not_exported_and_the_imported_monitor_is_paused() {
        use crate::request::{CredentialKind, Credentials, RequestSettings};
        for database in TestDatabase::each().await {
            let domain = &database.domain;
            let (who, copier) = (person(domain, Tier::Pro).await, person(domain, Tier::Pro).await);
            let credentials = Some(Credentials::Bearer("opened".to_owned()));
            let request =
                RequestSettings { user_agent: Some("Harbour/1".to_owned()), ..RequestSettings::default() };
            let new = NewMonitor {
                name: "Inside".to_owned(),
                address: Address::parse(domain, "https://inside.example/").unwrap(),
                definition: Definition { request: request.clone(), ..crate::tests::page() },
                interval_minutes: None,
                follow: false,
                notify: Vec::new(),
                tags: Vec::new(),
                options: MonitorOptions { credentials, ..MonitorOptions::default() },
            };
            let made = create(domain, who, new).await.unwrap().monitor;
            assert_eq!(made.definition.request.credential_kind(), Some(CredentialKind::Bearer));
            let list = export_definitions(domain, who).await.unwrap();
            assert!(!list.contains("sealed") && list.contains("needsCredentials"), "{list}");
            let imported = import_definitions(domain, copier, list.as_bytes()).await.unwrap();
            assert_eq!((imported.imported, imported.failed.len()), (1, 0));
            let range = crate::ListRange::first(10);
            let copy = crate::list(domain, copier, crate::ListFilter::default(), range)
                .await
                .unwrap()
                .monitors
                .remove(0);
            assert_eq!((copy.status, copy.definition.request), (Status::Paused, request));
        }
    }

    #[tokio::test]
    async fn import_reads_a_bounded_number_of_entries() {
        for database in TestDatabase::each().await {
            let who = person(&database.domain, Tier::Pro).await;
            let list = format!("[{}]", vec!["{}"; 3_000].join(","));
            let imported = import_definitions(&database.domain, who, list.as_bytes()).await.unwrap();
            assert_eq!((imported.imported, imported.failed.len()), (0, 1_001));
            let last = imported.failed.last().map(|failed| (failed.number, failed.code));
            assert_eq!(last, Some((1_001, Code::PayloadTooLarge)));
        }
    }
}
