//! Job kind for the checks of monitors whose page is rendered in a browser, each with its own job.

use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, JobKind, JobOutcome};
use kernel::Domain;

use articles::worker_tools::Tools;

use jobs::{Job, JobContext, JobError};

/// Job kind that executes one check in the worker's browser.
#[derive(Clone)]
pub struct MonitorRender {
    tools: Tools,
}

impl MonitorRender {
    /// Creates the job for a worker with these tools.
    pub fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }
}

impl Job for MonitorRender {
    const KIND: JobKind = JobKind::MonitorRender;

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(crate::give_up_run(domain, job))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let remaining = crate::run(context.domain(), &self.tools, &claimed).await?;
        context.engine.push_all(&remaining).await;
        Ok(JobOutcome::Completed)
    }
}
