//! State of a monitor from previous checks, with its baseline.

use entities::monitor;
use extract::watch::Snapshot;

use super::evaluate::{Baseline, PreviousState};
use super::memory::{Memory, RecentStates};
use super::rows::find_snapshot;
use kernel::error::Result;
use kernel::handle::Domain;

/// State of a monitor with this baseline.
pub(super) fn of(row: &monitor::Model, baseline: Option<Baseline>) -> PreviousState {
    PreviousState { baseline, trail: RecentStates::read(&row.recent), memory: Memory::read(&row.masks) }
}

/// Loads the state of previous checks.
pub(super) async fn load(domain: &Domain, row: &monitor::Model) -> Result<PreviousState> {
    let baseline = match &row.baseline_hash {
        None => None,
        Some(hash) => find_snapshot(domain.db().read(), row.id, hash)
            .await?
            .map(|snapshot| Baseline { hash: hash.clone(), snapshot }),
    };
    Ok(of(row, baseline))
}

/// Loads the snapshot that was observed last.
pub(super) async fn load_observed(domain: &Domain, row: &monitor::Model) -> Result<Option<Snapshot>> {
    match last_observed_hash(row) {
        None => Ok(None),
        Some(hash) => find_snapshot(domain.db().read(), row.id, hash).await,
    }
}

/// Hash of the snapshot that was observed last.
pub(super) fn last_observed_hash(row: &monitor::Model) -> Option<&str> {
    row.observed_hash.as_deref().or(row.baseline_hash.as_deref())
}
