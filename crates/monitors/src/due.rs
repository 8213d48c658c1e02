//! What is due: monitors are claimed in batches, by one statement that walks the index of due times, and each
//! batch becomes one job. The claim moves the monitors' next times ahead by a lease, so that a job that is
//! lost delays its monitors and loses no run.

use super::asked::{Batch, MonitorRunArgs};
use entities::ids::MonitorId;
use jobs::due::{self, DueTable, RoundLimits};
use jobs::{JobKind, Submitted};
use kernel::clock::{MINUTE, Millis};
use kernel::error::Result;
use kernel::handle::Domain;

/// Monitors that are due.
pub(super) const MONITORS: DueTable =
    DueTable { name: "monitor", url: "target_url", column: "next_run_at", batch: 50, lease: 15 * MINUTE };
/// Each batch is one job. Those of one round are handed over before the next is claimed.
const ROUND: RoundLimits =
    RoundLimits { kind: JobKind::MonitorRun, waiting_jobs: 80, jobs_a_batch: 1, batches: 8 };
/// After which a monitor is claimed again whose last run has not ended yet.
const STILL_RUNNING: Millis = MINUTE;

/// Claims what is due, batch after batch, and writes a job for each. At most one monitor of a server is in
/// a batch; the others of that server wait their turn, and all of them while the server wants a pause. A monitor
/// whose own job is under way, as when a person asked for it, is in none.
pub async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    due::claim_batches(domain, ROUND, claim_batch).await
}

/// One batch in one transaction; the flag says that there may be more.
async fn claim_batch(domain: &Domain) -> Result<(Vec<Submitted>, bool)> {
    let transaction = domain.db().begin().await?;
    let now = due::present(&transaction, domain).await?;
    let batch = due::claim::<MonitorId>(&transaction, &MONITORS, now).await?;
    let keys: Vec<String> = batch.rows.iter().map(|monitor| monitor.id.to_string()).collect();
    let running = jobs::live_keys(&transaction, JobKind::MonitorRun, &keys).await?;
    let (running, free): (Vec<_>, Vec<_>) =
        batch.rows.iter().partition(|monitor| running.contains(&monitor.id.to_string()));
    let later = running.into_iter().map(|monitor| (monitor.id, now + STILL_RUNNING)).collect();
    MONITORS.move_to(&transaction, later).await?;
    let runs = free.into_iter().map(|monitor| MonitorRunArgs::due(domain, monitor)).collect();
    let job = Batch { until: batch.until, runs }.job()?;
    let submitted = jobs::submit_all(&transaction, domain, job.as_slice()).await?;
    transaction.commit().await?;
    Ok((submitted.into_iter().flatten().collect(), batch.is_full))
}
