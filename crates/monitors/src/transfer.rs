//! Exports and imports monitor definitions, without anything that must not be shared.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::monitor;
use sea_orm::QueryOrder;
use serde::{Deserialize, Serialize};

use super::edit::{Edit, update};
use super::manage::{NewMonitor, create};
use super::monitor::{Definition, Status};
use super::{definition, tags};
use articles::Address;
use kernel::json_bounds::count_values;
use kernel::{Code, Domain, Error, Result};

/// Maximum number of monitors that are read from a list: more than any plan allows, and few enough for one
/// job.
const MAX_MONITORS: u64 = 1_000;
/// Maximum number of values and member names in a list.
const MAX_VALUES: usize = 1_000_000;

/// An exported monitor.
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
}

/// Exports the account's monitors as a JSON list, oldest first.
#[boxed]
pub async fn export_definitions(domain: &Domain, account_id: AccountId) -> Result<String> {
    let rows = monitor::Entity::owned_by(account_id)
        .order_by_asc(monitor::Column::Id)
        .all(domain.db().read())
        .await?;
    let mut lines = Vec::with_capacity(rows.len());
    for row in rows {
        lines.push(ExportedMonitor {
            name: row.name,
            target_url: row.target_url,
            definition: definition::read(&row.definition)?,
            interval_minutes: u32::try_from(row.interval_minutes).unwrap_or_default(),
            status: row.status,
            tags: tags::read(&row.tags),
        });
    }
    serde_json::to_string_pretty(&lines).map_err(kernel::error::Error::internal)
}

/// Imports monitors from such a list. Returns the entries that failed, by their numbers from 1. A monitor
/// that exists stays as it is, and one that was not active is imported as paused. Entries beyond 1,000 are
/// reported as one.
///
/// # Errors
/// Transient errors of the database. A list that cannot be parsed is reported as a failure of entry 1.
#[boxed]
pub async fn import_definitions(
    domain: &Domain,
    account_id: AccountId,
    list: &[u8],
) -> Result<Vec<(u64, Code)>> {
    let Some(lines) = read_lines(list.to_vec()).await? else {
        return Ok(vec![(1, Code::InvalidRequest)]);
    };
    let mut failed = Vec::new();
    for (number, line) in (1..).zip(lines) {
        if number > MAX_MONITORS {
            failed.push((number, Code::PayloadTooLarge));
            break;
        }
        let Ok(line) = serde_json::from_value::<ExportedMonitor>(line) else {
            failed.push((number, Code::InvalidRequest));
            continue;
        };
        match import_monitor(domain, account_id, line).await {
            Ok(()) => {}
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => failed.push((number, error.code)),
        }
    }
    Ok(failed)
}

/// Object with an exported list.
#[derive(Deserialize)]
struct ExportFile {
    monitors: Vec<serde_json::Value>,
}

/// Entries of an exported list, unparsed; also of an object with the list as `monitors`. `None` if the file
/// is neither, or has too many values.
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
    let new = NewMonitor {
        name: line.name,
        address: Address::parse(domain, &line.target_url)?,
        definition: line.definition,
        interval_minutes: Some(line.interval_minutes),
        follow: false,
        notify: Vec::new(),
        tags: line.tags,
    };
    let made = create(domain, account_id, new).await?;
    if !made.already_exists && line.status != Status::Active.as_str() {
        let pause = Edit { status: Some(Status::Paused), ..Edit::default() };
        update(domain, account_id, made.monitor.id, pause).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::testing::{TestDatabase, person};
    use kernel::tiers::Tier;

    #[tokio::test]
    async fn import_reads_a_bounded_number_of_entries() {
        for database in TestDatabase::each().await {
            let who = person(&database.domain, Tier::Pro).await;
            let list = format!("[{}]", vec!["{}"; 3_000].join(","));
            let failed = import_definitions(&database.domain, who, list.as_bytes()).await.unwrap();
            assert_eq!(failed.len(), 1_001);
            assert_eq!(failed.last(), Some(&(1_001, Code::PayloadTooLarge)));
        }
    }
}
