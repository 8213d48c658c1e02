//! Job kind for the checks of monitors.

use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, DueSource, JobKind, JobOutcome};
use kernel::Domain;

use articles::worker_tools::Tools;

use crate::explanations;
use jobs::Engine;
use jobs::{Job, JobContext, JobError};

/// Job kind that executes checks of monitors.
#[derive(Clone)]
pub struct MonitorRunJob {
    tools: Tools,
}

impl Job for MonitorRunJob {
    const KIND: JobKind = JobKind::MonitorRun;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(crate::give_up_run(domain, job))
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM monitor WHERE next_run_at <= {due}) \
                        OR EXISTS (SELECT 1 FROM monitor_explanation WHERE due_at <= {due})",
            claim: |engine| Box::pin(start_tick(engine)),
            further: Some(|engine| Box::pin(claim_due(engine))),
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        // A monitor that crashes its worker must not affect the other monitors of its batch.
        let single =
            if claimed.attempt > 1 { crate::split_batch(context.domain(), &claimed).await? } else { None };
        let remaining = match single {
            Some(single) => single,
            None => crate::run(context.domain(), &self.tools, &claimed).await?,
        };
        context.engine.push_all(&remaining).await;
        Ok(JobOutcome::Completed)
    }
}

/// Sends the messages whose explanations are overdue, and submits jobs for due monitors. Returns the number of jobs.
async fn start_tick(engine: &Engine) -> kernel::Result<u64> {
    if let Err(error) = explanations::finish_overdue(engine.domain()).await {
        tracing::error!(error = error.report(), "failed to find overdue explanations");
    }
    claim_due(engine).await
}

/// Submits jobs for due monitors. Returns the number of jobs.
async fn claim_due(engine: &Engine) -> kernel::Result<u64> {
    Ok(engine.push_all(&crate::claim_due(engine.domain()).await?).await)
}
