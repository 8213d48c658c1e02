//! What jobs of monitors' runs ask for: their payloads.

use entities::ids::{MonitorId, MonitorRunId};
use serde::{Deserialize, Serialize};

use jobs::due::DueRow;
use jobs::{JobKind, NewJob};
use kernel::clock::Millis;
use kernel::error::Result;
use kernel::handle::Domain;

/// What a run is about, and the payload of the job of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MonitorRunArgs {
    /// The monitor.
    pub(super) monitor_id: MonitorId,
    /// The run's own id, by which it is told and paid for.
    pub(super) run_id: MonitorRunId,
    /// When it was due: one run for each due time.
    pub(super) due_at: Millis,
    /// Whether a person asked for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) by_hand: bool,
}

/// Runs of monitors that were claimed together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Batch {
    /// The time until which these monitors are claimed: it says which claim this is.
    pub(super) until: Millis,
    /// A run of each.
    pub(super) runs: Vec<MonitorRunArgs>,
}

/// What a job of monitors' runs asks for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Asked {
    /// Runs that became due together.
    Batch(Batch),
    /// One run: a person's, the only one that was due, or one that a batch left.
    One(MonitorRunArgs),
}

impl MonitorRunArgs {
    /// The run of a monitor that is due.
    pub(super) fn due(domain: &Domain, monitor: &DueRow<MonitorId>) -> Self {
        Self { monitor_id: monitor.id, run_id: domain.new_id(), due_at: monitor.since, by_hand: false }
    }

    /// A run that a person asks for.
    pub(super) fn by_hand(domain: &Domain, monitor_id: MonitorId, due_at: Millis) -> Self {
        Self { monitor_id, run_id: domain.new_id(), due_at, by_hand: true }
    }

    /// The job of this run alone.
    pub(super) fn job(&self) -> Result<NewJob> {
        self.job_of_key(self.monitor_id.to_string())
    }

    /// A job of this run that joins the live one with `key`.
    pub(super) fn job_of_key(&self, key: String) -> Result<NewJob> {
        let priority = if self.by_hand { jobs::Priority::High } else { jobs::Priority::Normal };
        Ok(NewJob::new(JobKind::MonitorRun, key).payload(self)?.priority(priority))
    }
}

impl Batch {
    /// The job of these runs; none when there are none. A run that is alone has a job as a person's run has.
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

impl Asked {
    /// What is asked for of one monitor.
    pub(super) fn of(self, monitor_id: MonitorId) -> Option<MonitorRunArgs> {
        match self {
            Self::One(run) => Some(run),
            Self::Batch(batch) => batch.runs.into_iter().find(|run| run.monitor_id == monitor_id),
        }
    }
}
