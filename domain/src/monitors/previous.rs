//! What a monitor knows from its looks before, as it is stored.

use entities::monitor;
use extract::watch::Snapshot;

use super::evaluate::{Baseline, Previous};
use super::memory::{Memory, Trail};
use super::rows::find_snapshot;
use crate::error::Result;
use crate::handle::Domain;

/// What was seen before.
pub(super) async fn load(domain: &Domain, row: &monitor::Model) -> Result<Previous> {
    let baseline = match &row.baseline_hash {
        None => None,
        Some(hash) => find_snapshot(domain.db().read(), row.id, hash)
            .await?
            .map(|snapshot| Baseline { hash: hash.clone(), snapshot }),
    };
    Ok(Previous { baseline, trail: Trail::read(&row.recent), memory: Memory::read(&row.masks) })
}

/// What was seen at the last look.
pub(super) async fn load_observed(domain: &Domain, row: &monitor::Model) -> Result<Option<Snapshot>> {
    match row.observed_hash.as_deref().or(row.baseline_hash.as_deref()) {
        None => Ok(None),
        Some(hash) => find_snapshot(domain.db().read(), row.id, hash).await,
    }
}
