//! Loads the stored state against which observations are evaluated: the baseline and the last observed
//! snapshot of one or several monitors.

use std::collections::HashMap;

use entities::ids::MonitorId;
use entities::monitor;
use extract::watch::Snapshot;
use sea_orm::{ConnectionTrait, Value};

use super::evaluate::{Baseline, PreviousState};
use super::memory::{Memory, RecentContents};
use kernel::statement::{rows_of, statement};
use kernel::{Domain, Error, Result};

/// Snapshots of a monitor that are needed for an evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) enum RequiredSnapshots {
    None,
    Baseline,
    /// The baseline and the last observed snapshot.
    BaselineAndObserved,
}

/// Packed snapshots of a monitor. A snapshot is `None` if it is not needed or no longer retained.
#[derive(Default)]
pub(super) struct StoredSnapshots {
    baseline: Option<Vec<u8>>,
    observed: Option<Vec<u8>>,
}

impl StoredSnapshots {
    /// Unpacks the state of previous checks. This is CPU-bound.
    pub(super) fn previous(&self, row: &monitor::Model) -> Result<PreviousState> {
        let baseline = match (&row.baseline_hash, &self.baseline) {
            (Some(hash), Some(packed)) => Some(Baseline { hash: hash.clone(), snapshot: decode(packed)? }),
            (None, _) | (_, None) => None,
        };
        let (recent_contents, memory) = (RecentContents::read(&row.recent), Memory::read(&row.masks));
        Ok(PreviousState { baseline, recent_contents, memory })
    }

    /// Unpacks the last observed snapshot.
    pub(super) fn observed(&self) -> Result<Option<Snapshot>> {
        self.observed.as_deref().map(decode).transpose()
    }
}

fn decode(packed: &[u8]) -> Result<Snapshot> {
    Snapshot::decode(packed).map_err(Error::internal)
}

/// Hash of the last observed snapshot.
fn last_observed_hash(row: &monitor::Model) -> Option<&str> {
    row.observed_hash.as_deref().or(row.baseline_hash.as_deref())
}

impl RequiredSnapshots {
    /// Distinct hashes of the snapshots.
    fn hashes(self, row: &monitor::Model) -> impl Iterator<Item = &str> {
        let baseline = row.baseline_hash.as_deref();
        let observed = last_observed_hash(row).filter(|observed| Some(*observed) != baseline);
        let hashes = match self {
            Self::None => [None, None],
            Self::Baseline => [baseline, None],
            Self::BaselineAndObserved => [baseline, observed],
        };
        hashes.into_iter().flatten()
    }
}

/// Loads snapshots of a monitor.
pub(super) async fn load(
    domain: &Domain,
    row: &monitor::Model,
    required: RequiredSnapshots,
) -> Result<StoredSnapshots> {
    Ok(load_all(domain, &[(row, required)]).await?.pop().unwrap_or_default())
}

/// Loads snapshots of several monitors in one statement. The result has the same order as the monitors.
pub(super) async fn load_all(
    domain: &Domain,
    monitors: &[(&monitor::Model, RequiredSnapshots)],
) -> Result<Vec<StoredSnapshots>> {
    let keys = monitors.iter().flat_map(|(row, required)| required.hashes(row).map(|hash| (row.id, hash)));
    let keys: Vec<(MonitorId, &str)> = keys.collect();
    let mut contents = HashMap::with_capacity(keys.len());
    if !keys.is_empty() {
        let connection = domain.db().read();
        let sql = format!(
            "WITH wanted (monitor_id, hash) AS (VALUES {}) SELECT s.monitor_id, s.hash, s.content FROM wanted \
             JOIN monitor_snapshot s ON s.monitor_id = wanted.monitor_id AND s.hash = wanted.hash",
            rows_of(1, keys.len(), 2)
        );
        let values = keys.into_iter().flat_map(|(id, hash)| -> [Value; 2] { [id.into(), hash.into()] });
        for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
            let key: (MonitorId, String) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
            contents.insert(key, row.try_get_by_index::<Vec<u8>>(2)?);
        }
    }
    let stored = monitors.iter().map(|(row, _)| {
        let of = |hash: Option<&str>| contents.get(&(row.id, hash?.to_owned())).cloned();
        StoredSnapshots { baseline: of(row.baseline_hash.as_deref()), observed: of(last_observed_hash(row)) }
    });
    Ok(stored.collect())
}
