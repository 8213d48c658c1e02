//! Limits on the number of waiting jobs.

use sea_orm::ConnectionTrait;

use super::kind::{JobKind, Priority};
use super::sweep::{waiting, waiting_above_low};
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

/// Returns true if the queue has capacity for another job of `kind` and this priority. The waiting jobs are counted
/// only if the queue may be nearly full. Low-priority jobs that were submitted while other low-priority jobs waited for
/// a retry can exceed their half of the capacity when all become due. They never use the half of the other jobs.
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
    if waiting < u64::from(capacity) {
        return Ok(true);
    }
    if priority == Priority::Low {
        return Ok(false);
    }
    let reserved = capacity - capacity / 2;
    Ok(waiting_above_low(connection, domain, kind, reserved).await? < u64::from(reserved))
}
