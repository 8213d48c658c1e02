//! Claims due monitors in batches, with one statement that scans the index of due times. Each batch becomes
//! one job. A claim advances the due times by a lease, so that a lost job delays its monitors but loses no
//! run.

use std::collections::HashSet;

use super::args::{MonitorRunArgs, MonitorRunBatch};
use async_recursion::async_recursion as boxed;
use entities::ids::MonitorId;
use jobs::due::{self, DueTable, RoundLimits};
use jobs::{JobKind, Submitted};
use kernel::clock::MINUTE;
use kernel::{Domain, Millis, Result};

pub(super) const MONITORS: DueTable =
    DueTable { name: "monitor", url: "target_url", column: "next_run_at", batch: 50, lease: 15 * MINUTE };
/// Limits of a claim round. Each batch becomes one job. The jobs of a round are pushed before the next round
/// is claimed.
const ROUND: RoundLimits =
    RoundLimits { kind: JobKind::MonitorRun, max_waiting_jobs: 80, jobs_per_batch: 1, batches: 8 };
/// Delay before a monitor is claimed again if its previous run is still in progress.
const STILL_RUNNING: Millis = MINUTE;

/// Claims due monitors batch by batch and submits one job per batch. A batch contains at most one monitor per
/// host; the others wait for a further batch. Monitors of a paused host are not claimed, and neither are
/// monitors with their own live job, such as the job of a run that a user started or that waits for a
/// browser.
#[boxed]
pub async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    due::claim_batches(domain, ROUND, claim_batch).await
}

/// Claims one batch in one transaction. Returns true if further monitors may be due.
async fn claim_batch(domain: &Domain) -> Result<(Vec<Submitted>, bool)> {
    let transaction = domain.db().begin().await?;
    let now = due::current_time(&transaction, domain).await?;
    let batch = due::claim::<MonitorId>(&transaction, &MONITORS, now).await?;
    let keys: Vec<String> = batch.rows.iter().map(|monitor| monitor.id.to_string()).collect();
    let running = jobs::live_keys(&transaction, JobKind::MonitorRun, &keys).await?;
    let (running, free): (Vec<_>, Vec<_>) =
        batch.rows.iter().partition(|monitor| running.contains(&monitor.id.to_string()));
    let postponed = running.into_iter().map(|monitor| (monitor.id, now + STILL_RUNNING)).collect();
    MONITORS.move_to(&transaction, postponed).await?;
    // A browser may be busy for a long time, so these monitors are claimed again only when the claim expires.
    let rendered = if domain.policy().renders_pages {
        jobs::live_keys(&transaction, JobKind::MonitorRender, &keys).await?
    } else {
        HashSet::new()
    };
    let free = free.into_iter().filter(|monitor| !rendered.contains(&monitor.id.to_string()));
    let runs = free.map(|monitor| MonitorRunArgs::due(domain, monitor)).collect();
    let job = MonitorRunBatch { until: batch.until, runs }.job()?;
    let submitted = jobs::submit_all(&transaction, domain, job.as_slice()).await?;
    transaction.commit().await?;
    Ok((submitted.into_iter().flatten().collect(), batch.is_full))
}
