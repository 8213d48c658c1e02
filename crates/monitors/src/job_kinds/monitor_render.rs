//! Job kind for the checks of monitors whose page is rendered in a browser, each with its own job.

use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, JobKind, JobOutcome};
use kernel::Domain;

use articles::CallerLimit;
use articles::worker_tools::Tools;

use crate::args::BrowserJobOwner;

use jobs::{Job, JobContext, JobError};

/// Job kind that executes one check in the worker's browser.
#[derive(Clone)]
pub struct MonitorRender {
    tools: Tools,
    limit: CallerLimit,
}

impl MonitorRender {
    /// Creates the job for a worker with these tools.
    pub fn new(tools: &Tools) -> Self {
        // As in the renderer, one account uses all slots but one.
        let per_account = JobKind::MonitorRender.rules().concurrency.saturating_sub(1);
        Self { tools: tools.clone(), limit: CallerLimit::new(per_account) }
    }
}

impl Job for MonitorRender {
    const KIND: JobKind = JobKind::MonitorRender;

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(crate::give_up_run(domain, job))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let BrowserJobOwner { account_id } = claimed.arguments()?;
        let _permit = self.limit.acquire(&claimed, Some(&account_id.to_string())).await;
        let remaining = crate::run(context.domain(), &self.tools, &claimed).await?;
        context.engine.push_all(&remaining).await;
        Ok(JobOutcome::Completed)
    }
}
