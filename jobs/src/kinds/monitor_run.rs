//! Running monitors.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::monitors;
use domain::worker::Tools;

use crate::engine::Engine;
use crate::handler::{Job, JobContext, JobError};

/// Carries out one run of a monitor.
#[derive(Clone)]
pub(super) struct MonitorRun {
    pub(super) tools: Tools,
}

impl Job for MonitorRun {
    const KIND: JobKind = JobKind::MonitorRun;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(monitors::run(context.domain(), &self.tools, &claimed).await?.into())
    }
}

/// Makes jobs of the monitors that are due.
pub(super) async fn claim_due(engine: &Engine) -> domain::Result<u64> {
    Ok(engine.hand_over(&monitors::claim_due(engine.domain()).await?).await)
}
