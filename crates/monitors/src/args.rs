//! Payloads of the jobs that run monitors.

use entities::ids::{AccountId, MonitorId, MonitorRunId};
use serde::{Deserialize, Serialize};

use jobs::due::DueRow;
use jobs::{JobKind, NewJob, Priority};
use kernel::{Domain, Millis, Result};

/// Arguments of a run. Also the payload of a job with a single run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MonitorRunArgs {
    pub(super) monitor_id: MonitorId,
    /// Id of the row of the run, and of its credit entry.
    pub(super) run_id: MonitorRunId,
    /// Due time. There is at most one run per monitor and due time.
    pub(super) due_at: Millis,
    /// True if a user started the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) by_hand: bool,
}

/// Payload of a job that executes a run in a browser.
#[derive(Serialize)]
struct BrowserRunArgs {
    #[serde(flatten)]
    run: MonitorRunArgs,
    account_id: AccountId,
}

/// Account of a job that uses a browser. Part of its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BrowserJobOwner {
    pub(super) account_id: AccountId,
}

/// Runs of monitors that were claimed in one batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MonitorRunBatch {
    /// Time until which the monitors are claimed. It also identifies the claim.
    pub(super) until: Millis,
    pub(super) runs: Vec<MonitorRunArgs>,
}

/// Payload of a job that runs monitors.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum RunJobArgs {
    /// Runs that were claimed in one batch.
    Batch(MonitorRunBatch),
    /// A single run: a user started it, or it was the only due run of its batch, or it was split off from a
    /// batch.
    Single(MonitorRunArgs),
}

impl MonitorRunArgs {
    /// Creates the run of a due monitor.
    pub(super) fn due(domain: &Domain, monitor: &DueRow<MonitorId>) -> Self {
        Self { monitor_id: monitor.id, run_id: domain.new_id(), due_at: monitor.since, by_hand: false }
    }

    /// Creates a run that a user started.
    pub(super) fn by_hand(domain: &Domain, monitor_id: MonitorId, due_at: Millis) -> Self {
        Self { monitor_id, run_id: domain.new_id(), due_at, by_hand: true }
    }

    /// Creates the job for this run alone.
    pub(super) fn job(&self) -> Result<NewJob> {
        self.job_of_key(self.monitor_id.to_string())
    }

    /// Creates a job for this run. If a job with this `key` is live, that job is used instead.
    pub(super) fn job_of_key(&self, key: String) -> Result<NewJob> {
        Ok(NewJob::new(JobKind::MonitorRun, key).payload(self)?.priority(self.priority()))
    }

    /// Creates the job that executes this run in a browser, for a monitor of `account_id`.
    pub(super) fn browser_job(&self, account_id: AccountId) -> Result<NewJob> {
        let job = NewJob::new(JobKind::MonitorRender, self.monitor_id.to_string()).owner(account_id);
        let payload = BrowserRunArgs { run: *self, account_id };
        Ok(job.payload(&payload)?.priority(self.priority()))
    }

    fn priority(&self) -> Priority {
        if self.by_hand { Priority::High } else { Priority::Normal }
    }
}

impl MonitorRunBatch {
    /// Creates the job for these runs. `None` if there are no runs. A single run gets the same job as a run
    /// that a user started.
    pub(super) fn job(&self) -> Result<Option<NewJob>> {
        match self.runs.as_slice() {
            [] => Ok(None),
            [only] => only.job().map(Some),
            [first, ..] => {
                let job = NewJob::new(JobKind::MonitorRun, format!("{}-{}", first.monitor_id, self.until));
                job.payload(self).map(Some)
            }
        }
    }
}

impl RunJobArgs {
    /// Returns the run of one monitor.
    pub(super) fn into_run(self, monitor_id: MonitorId) -> Option<MonitorRunArgs> {
        match self {
            Self::Single(run) => Some(run),
            Self::Batch(batch) => batch.runs.into_iter().find(|run| run.monitor_id == monitor_id),
        }
    }
}
