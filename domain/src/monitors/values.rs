//! What a monitor read over time: the value of each field of each thing at each run whose content is kept, with the
//! number that counts in it.

use std::collections::{HashMap, HashSet};

use entities::ids::{AccountId, MonitorId};
use entities::{monitor_run, monitor_snapshot};
use extract::watch::{self, Look, Reading, Snapshot, Target, Trigger, TriggerKind};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

use super::definition;
use super::monitor::Definition;
use super::rows::load;
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::handle::Domain;

/// Runs that are looked at: the newest.
const RUNS: u64 = 1_000;
/// Contents that are read.
const CONTENTS: usize = 400;
/// Values of all contents together.
const MOST: usize = 20_000;

/// A value at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedValue {
    /// When it was read.
    pub at: Millis,
    /// The thing that it belongs to, where there are several.
    pub item: Option<String>,
    /// The field.
    pub field: String,
    /// What stood there.
    pub text: Option<String>,
    /// The number that counts in it.
    pub number: Option<String>,
    /// Its currency.
    pub currency: Option<String>,
}

/// The values that a monitor read, oldest first. Runs that found what the run before had found repeat its values; runs
/// whose content is not kept have none. There are none but of monitors of values.
///
/// # Errors
/// `not_found`.
pub async fn values(domain: &Domain, account_id: AccountId, id: MonitorId) -> Result<Vec<TimedValue>> {
    let connection = domain.db().read();
    let row = load(connection, account_id, id).await?;
    let definition = definition::read(&row.definition)?;
    if !matches!(definition.target, Target::Extract { .. }) {
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
    let mut wanted: Vec<String> = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for (_, hash) in runs.iter().rev() {
        if wanted.len() < CONTENTS && known.insert(hash) {
            wanted.push(hash.clone());
        }
    }
    let contents: HashMap<String, Vec<u8>> = monitor_snapshot::Entity::owned_by(account_id)
        .filter(monitor_snapshot::Column::MonitorId.eq(id))
        .filter(monitor_snapshot::Column::Hash.is_in(wanted))
        .all(connection)
        .await?
        .into_iter()
        .map(|row| (row.hash, row.content))
        .collect();
    let read = tokio::task::spawn_blocking(move || read(&definition, &runs, &contents));
    read.await.map_err(Error::internal)?
}

fn read(
    definition: &Definition,
    runs: &[(Millis, String)],
    contents: &HashMap<String, Vec<u8>>,
) -> Result<Vec<TimedValue>> {
    let mut readings: HashMap<&str, Vec<Reading>> = HashMap::new();
    for (hash, packed) in contents {
        let snapshot = Snapshot::decode(packed).map_err(Error::internal)?;
        readings.insert(hash, readings_of(definition, &snapshot));
    }
    let of_run = |(at, hash): &(Millis, String)| {
        let at = *at;
        let found = readings.get(hash.as_str()).map(Vec::as_slice).unwrap_or_default();
        found.iter().map(move |reading| TimedValue {
            at,
            item: reading.item.clone(),
            field: reading.field.clone().unwrap_or_default(),
            text: reading.text.clone(),
            number: reading.number.clone(),
            currency: reading.currency.clone(),
        })
    };
    // The newest are the ones to be kept when there are too many.
    let mut values: Vec<TimedValue> = runs.iter().rev().flat_map(of_run).take(MOST).collect();
    values.sort_by_key(|value| value.at);
    Ok(values)
}

/// The values of a content, read as a limit would read them.
fn readings_of(definition: &Definition, seen: &Snapshot) -> Vec<Reading> {
    let any_number = Trigger { kind: TriggerKind::Below, value: Some("0".to_owned()), field: None };
    let look = Look { target: &definition.target, ignore: &definition.ignore, seen, at: 0, language: None };
    watch::readings(&any_number, look)
}
