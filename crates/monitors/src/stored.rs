//! Loads the stored snapshots that observations are evaluated against, for many monitors at once.

use std::collections::HashMap;

use entities::ids::MonitorId;
use entities::monitor;
use extract::watch::Snapshot;
use sea_orm::{ConnectionTrait, Value};

use super::evaluate::{Baseline, Previous};
use super::look::{Looked, Sight};
use super::memory::Memory;
use super::previous;
use kernel::error::{Error, Result};
use kernel::handle::Domain;
use kernel::statement::{rows_of, statement};

/// Packed snapshots of a monitor, as far as they are retained and needed.
#[derive(Default)]
pub(super) struct Stored {
    baseline: Option<Vec<u8>>,
    observed: Option<Vec<u8>>,
}

impl Stored {
    /// Unpacks the state of previous checks, which takes some time.
    pub(super) fn previous(&self, row: &monitor::Model) -> Result<Previous> {
        let baseline = match (&row.baseline_hash, &self.baseline) {
            (Some(hash), Some(packed)) => Some(Baseline { hash: hash.clone(), snapshot: decode(packed)? }),
            (None, _) | (_, None) => None,
        };
        Ok(previous::of(row, baseline))
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
pub(super) async fn load_all(domain: &Domain, looks: &[(&monitor::Model, &Looked)]) -> Result<Vec<Stored>> {
    let wanted: Vec<(MonitorId, &str)> = looks.iter().flat_map(|(row, looked)| wanted(row, looked)).collect();
    let mut found = HashMap::with_capacity(wanted.len());
    if !wanted.is_empty() {
        let connection = domain.db().read();
        let sql = format!(
            "WITH wanted (monitor_id, hash) AS (VALUES {}) SELECT s.monitor_id, s.hash, s.content FROM wanted \
             JOIN monitor_snapshot s ON s.monitor_id = wanted.monitor_id AND s.hash = wanted.hash",
            rows_of(1, wanted.len(), 2)
        );
        let values = wanted.into_iter().flat_map(|(id, hash)| -> [Value; 2] { [id.into(), hash.into()] });
        for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
            let key: (MonitorId, String) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
            found.insert(key, row.try_get_by_index::<Vec<u8>>(2)?);
        }
    }
    let stored = looks.iter().map(|(row, _)| {
        let of = |hash: Option<&str>| found.get(&(row.id, hash?.to_owned())).cloned();
        Stored { baseline: of(row.baseline_hash.as_deref()), observed: of(previous::last_look(row)) }
    });
    Ok(stored.collect())
}

/// Hashes of the snapshots that an observation is evaluated against, each once.
fn wanted<'a>(row: &'a monitor::Model, looked: &Looked) -> Vec<(MonitorId, &'a str)> {
    let baseline = row.baseline_hash.as_deref();
    let hashes = match looked.sight {
        Sight::Failed(_) => Vec::new(),
        Sight::Same if !Memory::read(&row.masks).waits_for_time() => Vec::new(),
        Sight::Same => {
            let observed = previous::last_look(row).filter(|observed| Some(*observed) != baseline);
            baseline.into_iter().chain(observed).collect()
        }
        Sight::Content(_) => baseline.into_iter().collect(),
    };
    hashes.into_iter().map(|hash| (row.id, hash)).collect()
}
