//! Loads the stored snapshots that observations are evaluated against, for many monitors at once.

use std::collections::HashMap;

use entities::ids::MonitorId;
use entities::monitor;
use extract::watch::Snapshot;
use sea_orm::{ConnectionTrait, Value};

use super::baseline;
use super::evaluate::{Baseline, PreviousState};
use super::memory::Memory;
use super::observation::{ObservedContent, SourceObservation};
use kernel::error::{Error, Result};
use kernel::handle::Domain;
use kernel::statement::{rows_of, statement};

/// Packed snapshots of a monitor, as far as they are retained and needed.
#[derive(Default)]
pub(super) struct StoredSnapshots {
    baseline: Option<Vec<u8>>,
    observed: Option<Vec<u8>>,
}

impl StoredSnapshots {
    /// Unpacks the state of previous checks, which takes some time.
    pub(super) fn previous(&self, row: &monitor::Model) -> Result<PreviousState> {
        let baseline = match (&row.baseline_hash, &self.baseline) {
            (Some(hash), Some(packed)) => Some(Baseline { hash: hash.clone(), snapshot: decode(packed)? }),
            (None, _) | (_, None) => None,
        };
        Ok(baseline::of(row, baseline))
    }

    /// Unpacks the snapshot that was observed last.
    pub(super) fn observed(&self) -> Result<Option<Snapshot>> {
        self.observed.as_deref().map(decode).transpose()
    }
}

fn decode(packed: &[u8]) -> Result<Snapshot> {
    Snapshot::decode(packed).map_err(Error::internal)
}

/// Loads the snapshots that these observations are evaluated against, in one statement. The result is in
/// their order.
pub(super) async fn load_all(
    domain: &Domain,
    observations: &[(&monitor::Model, &SourceObservation)],
) -> Result<Vec<StoredSnapshots>> {
    let keys: Vec<(MonitorId, &str)> =
        observations.iter().flat_map(|(row, observation)| required_hashes(row, observation)).collect();
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
    let stored = observations.iter().map(|(row, _)| {
        let of = |hash: Option<&str>| contents.get(&(row.id, hash?.to_owned())).cloned();
        StoredSnapshots {
            baseline: of(row.baseline_hash.as_deref()),
            observed: of(baseline::last_observed_hash(row)),
        }
    });
    Ok(stored.collect())
}

/// Hashes of the snapshots that an observation is evaluated against, each once.
fn required_hashes<'a>(
    row: &'a monitor::Model,
    observation: &SourceObservation,
) -> Vec<(MonitorId, &'a str)> {
    let baseline = row.baseline_hash.as_deref();
    let hashes = match observation.content {
        ObservedContent::Failed(_) => Vec::new(),
        ObservedContent::Same if !Memory::read(&row.masks).depends_on_time() => Vec::new(),
        ObservedContent::Same => {
            let observed = baseline::last_observed_hash(row).filter(|observed| Some(*observed) != baseline);
            baseline.into_iter().chain(observed).collect()
        }
        ObservedContent::Content(_) => baseline.into_iter().collect(),
    };
    hashes.into_iter().map(|hash| (row.id, hash)).collect()
}
