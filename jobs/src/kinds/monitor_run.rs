//! Running monitors.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::monitors;
use domain::worker::Tools;

use crate::engine::Engine;
use crate::handler::{Job, JobContext, JobError};

/// Carries out runs of monitors.
#[derive(Clone)]
pub(super) struct MonitorRun {
    pub(super) tools: Tools,
}

impl Job for MonitorRun {
    const KIND: JobKind = JobKind::MonitorRun;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        // A monitor that takes its worker down must not take the others of its batch with it.
        let single =
            if claimed.attempt > 1 { monitors::split_batch(context.domain(), &claimed).await? } else { None };
        let left = match single {
            Some(single) => single,
            None => monitors::run(context.domain(), &self.tools, &claimed).await?,
        };
        context.engine.hand_over(&left).await;
        Ok(JobOutcome::Completed)
    }
}

/// Makes jobs of the monitors that are due.
pub(super) async fn claim_due(engine: &Engine) -> domain::Result<u64> {
    Ok(engine.hand_over(&monitors::claim_due(engine.domain()).await?).await)
}
