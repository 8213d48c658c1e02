//! What is due: monitors are claimed in batches, by one statement that walks the index of due times, and
//! each becomes a job of its own. The claim moves the monitor's next time ahead by a lease, so that a job
//! that is lost delays its monitor and loses no run.

use serde::{Deserialize, Serialize};

use crate::clock::{MINUTE, Millis};
use crate::due::{self, DueRow, DueTable, TickLimits};
use crate::error::Result;
use crate::handle::Domain;
use crate::jobs::{self, JobKind, NewJob, Submitted};
use entities::ids::{MonitorId, MonitorRunId};

/// Monitors that are due.
pub(super) const MONITORS: DueTable = DueTable {
    name: "monitor",
    url: "target_url",
    column: "next_run_at",
    owner: Some("account_id"),
    batch: 50,
    lease: 15 * MINUTE,
};
/// Each monitor is a job of its own.
const TICK: TickLimits =
    TickLimits { kind: JobKind::MonitorRun, waiting_jobs: 2_000, jobs_a_batch: MONITORS.batch, batches: 40 };
/// After which a monitor is claimed again whose last run has not ended yet.
const STILL_RUNNING: Millis = MINUTE;

/// What a run's job is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MonitorRunArgs {
    /// The monitor.
    pub(super) monitor_id: MonitorId,
    /// The run's own id, by which it is told and paid for.
    pub(super) run_id: MonitorRunId,
    /// When it was due: one run for each due time.
    pub(super) due_at: Millis,
    /// Whether a person asked for it.
    #[serde(default)]
    pub(super) by_hand: bool,
}

/// Claims what is due, batch after batch, and writes a job for each. At most one monitor of a server is in
/// a batch; the others of that server wait their turn, and all of them while the server wants a pause.
pub async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    due::claim_batches(domain, TICK, claim_batch).await
}

/// One batch in one transaction; the flag says that there may be more.
async fn claim_batch(domain: &Domain) -> Result<(Vec<Submitted>, bool)> {
    let transaction = domain.db().begin().await?;
    let now = due::present(&transaction, domain).await?;
    let batch = due::claim::<MonitorId>(&transaction, &MONITORS, now).await?;
    let runs = batch
        .rows
        .iter()
        .map(|monitor| {
            let job = MonitorRunArgs::due(domain, monitor).job()?;
            Ok(match monitor.owner {
                Some(account_id) => job.owner(account_id),
                None => job,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    let submitted = jobs::submit_all(&transaction, domain, &runs).await?;
    let running = batch.rows.iter().zip(&submitted).filter(|(_, job)| job.is_none());
    let later = running.map(|(monitor, _)| (monitor.id, now + STILL_RUNNING)).collect();
    MONITORS.move_to(&transaction, later).await?;
    transaction.commit().await?;
    Ok((submitted.into_iter().flatten().collect(), batch.is_full))
}

impl MonitorRunArgs {
    /// The run of a monitor that is due.
    fn due(domain: &Domain, monitor: &DueRow<MonitorId>) -> Self {
        Self { monitor_id: monitor.id, run_id: domain.new_id(), due_at: monitor.since, by_hand: false }
    }

    /// A run that a person asks for.
    pub(super) fn by_hand(domain: &Domain, monitor_id: MonitorId, due_at: Millis) -> Self {
        Self { monitor_id, run_id: domain.new_id(), due_at, by_hand: true }
    }

    /// The job of this run.
    pub(super) fn job(&self) -> Result<NewJob> {
        let priority = if self.by_hand { jobs::Priority::High } else { jobs::Priority::Normal };
        Ok(NewJob::new(JobKind::MonitorRun, self.monitor_id.to_string()).payload(self)?.priority(priority))
    }
}
