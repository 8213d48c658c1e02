//! Limits on the number of waiting jobs.

use sea_orm::ConnectionTrait;

use super::kind::{JobKind, Priority};
use super::sweep::waiting;
use kernel::{Domain, Result};

/// Returns the number of waiting jobs of `kind` at which further jobs of this priority are refused. `None`
/// for kinds without a limit.
pub(super) fn capacity_of(domain: &Domain, kind: JobKind, priority: Priority) -> Option<u32> {
    let capacity = kind.rules().capacity?;
    let capacity =
        domain.policy().max_waiting_extractions.filter(|_| kind == JobKind::Extraction).unwrap_or(capacity);
    // Low-priority jobs, for which no caller waits, leave half of the capacity for other jobs.
    Some(if priority == Priority::Low { capacity / 2 } else { capacity })
}

/// Returns true if the queue has capacity for another job of `kind` and this priority. The waiting jobs are
/// counted only if the queue may be nearly full.
pub(super) async fn has_capacity(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    (kind, priority): (JobKind, Priority),
) -> Result<bool> {
    let Some(capacity) = capacity_of(domain, kind, priority) else { return Ok(true) };
    let batches = super::batches::of(domain);
    let counts = &batches.waiting;
    if counts.has_ample_capacity(kind, capacity) {
        return Ok(true);
    }
    let waiting = waiting(connection, domain, kind, capacity).await?;
    counts.counted(kind, waiting + 1);
    Ok(waiting < u64::from(capacity))
}
