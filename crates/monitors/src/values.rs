//! Values that a monitor has read over time: every field of every item in each run whose snapshot is
//! retained, with the number that triggers compare.

use async_recursion::async_recursion as boxed;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use entities::ids::{AccountId, MonitorId};
use entities::{monitor_run, monitor_snapshot};
use extract::watch::{self, EvaluationInput, Reading, Snapshot, Trigger, TriggerKind};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

use super::definition;
use super::monitor::{Definition, TargetType};
use super::rows::load;
use kernel::{Domain, Error, Millis, Result};

/// Maximum number of runs. The newest runs are read.
const RUNS: u64 = 1_000;
/// Maximum number of snapshots.
const CONTENTS: usize = 400;
/// Number of snapshots that are in memory at the same time.
const CHUNK_SIZE: usize = 20;
/// Maximum number of values.
const MAX_VALUES: usize = 20_000;

/// Value of a field at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedValue {
    /// Time at which the value was read.
    pub at: Millis,
    /// Item of the value. `None` if the source has only one item.
    pub item: Option<String>,
    pub field: String,
    /// Text of the field.
    pub text: Option<String>,
    /// Number in the text that triggers compare.
    pub number: Option<String>,
    /// Currency of the number.
    pub currency: Option<String>,
}

/// Returns the values that a monitor read, the oldest first. Runs with an unchanged snapshot repeat its
/// values. Runs whose snapshot is no longer retained are skipped. Only monitors with items have values.
///
/// # Errors
/// `not_found` if the monitor does not exist.
#[boxed]
pub async fn values(domain: &Domain, account_id: AccountId, id: MonitorId) -> Result<Vec<TimedValue>> {
    let connection = domain.db().read();
    let row = load(connection, account_id, id).await?;
    let definition = definition::read(&row.definition)?;
    if !TargetType::of(&definition.target).has_values() {
        return Ok(Vec::new());
    }
    let mut runs: Vec<(Millis, String)> = monitor_run::Entity::owned_by(account_id)
        .filter(monitor_run::Column::MonitorId.eq(id))
        .filter(monitor_run::Column::ContentHash.is_not_null())
        .order_by_desc(monitor_run::Column::Id)
        .limit(RUNS)
        .select_only()
        .columns([monitor_run::Column::FinishedAt, monitor_run::Column::ContentHash])
        .into_tuple()
        .all(connection)
        .await?;
    runs.reverse();
    let mut newest_hashes: Vec<String> = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for (_, hash) in runs.iter().rev() {
        if newest_hashes.len() < CONTENTS && known.insert(hash) {
            newest_hashes.push(hash.clone());
        }
    }
    let definition = Arc::new(definition);
    let mut readings: HashMap<String, Vec<Reading>> = HashMap::new();
    let mut value_count = 0;
    // Read the newest snapshots first, and only as many as needed, because the snapshot of a long list is
    // large.
    for hashes in newest_hashes.chunks(CHUNK_SIZE) {
        let rows = monitor_snapshot::Entity::owned_by(account_id)
            .filter(monitor_snapshot::Column::MonitorId.eq(id))
            .filter(monitor_snapshot::Column::Hash.is_in(hashes.to_vec()))
            .all(connection)
            .await?;
        let definition = Arc::clone(&definition);
        let read = tokio::task::spawn_blocking(move || read(&definition, rows));
        for (hash, of_content) in read.await.map_err(Error::internal)?? {
            value_count += of_content.len();
            readings.insert(hash, of_content);
        }
        if value_count >= MAX_VALUES {
            break;
        }
    }
    Ok(timed(&runs, &readings))
}

/// Readings of each snapshot, with the hash of the snapshot.
fn read(definition: &Definition, rows: Vec<monitor_snapshot::Model>) -> Result<Vec<(String, Vec<Reading>)>> {
    let of_content = |row: monitor_snapshot::Model| {
        let snapshot = Snapshot::decode(&row.content).map_err(Error::internal)?;
        Ok((row.hash, readings_of(definition, &snapshot)))
    };
    rows.into_iter().map(of_content).collect()
}

/// Values of the runs, the oldest first.
fn timed(runs: &[(Millis, String)], readings: &HashMap<String, Vec<Reading>>) -> Vec<TimedValue> {
    let of_run = |(at, hash): &(Millis, String)| {
        let at = *at;
        let run_readings = readings.get(hash.as_str()).map(Vec::as_slice).unwrap_or_default();
        run_readings.iter().map(move |reading| TimedValue {
            at,
            item: reading.item.clone(),
            field: reading.field.clone().unwrap_or_default(),
            text: reading.text.clone(),
            number: reading.number.clone(),
            currency: reading.currency.clone(),
        })
    };
    // If there are too many values, the oldest values are dropped.
    let mut values: Vec<TimedValue> = runs.iter().rev().flat_map(of_run).take(MAX_VALUES).collect();
    values.sort_by_key(|value| value.at);
    values
}

/// Numbers in a snapshot, as a trigger with a limit would read them.
fn readings_of(definition: &Definition, seen: &Snapshot) -> Vec<Reading> {
    // A limit helps to interpret ambiguous numbers.
    let limit = definition.trigger.value.clone().filter(|_| definition.trigger.is_numeric());
    let value = limit.or_else(|| Some("0".to_owned()));
    let any_number = Trigger { kind: TriggerKind::Below, value, ..Trigger::default() };
    let input = EvaluationInput {
        target: &definition.target,
        ignore: &definition.ignore,
        seen,
        at: 0,
        language: None,
    };
    watch::readings(&any_number, input)
}
