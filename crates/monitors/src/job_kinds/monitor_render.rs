//! Job kind for the checks of monitors whose page is rendered in a browser. Each check has its own job.

use articles::CallerLimit;
use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, Job, JobContext, JobError, JobKind, JobOutcome};
use kernel::clock::SECOND;
use kernel::{Domain, Millis};

use crate::args::BrowserJobOwner;

/// Delay before a job that acquired no permit of its account tries again.
const NEXT_WAIT: Millis = 15 * SECOND;

/// Job kind that executes one check in the worker's browser.
#[derive(Clone)]
pub struct MonitorRender {
    tools: Tools,
    limit: CallerLimit,
}

impl Job for MonitorRender {
    const KIND: JobKind = JobKind::MonitorRender;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone(), limit: CallerLimit::of_browser(Self::KIND) }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(crate::give_up_run(domain, job))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let domain = context.domain();
        let BrowserJobOwner { account_id } = claimed.arguments()?;
        let Some(_permit) = self.limit.acquire(&claimed, Some(&account_id.to_string())).await else {
            // Waiting until the other pages of the account are rendered could exceed the run limit.
            return Ok(jobs::snooze_in(domain.db().write(), domain, &claimed, NEXT_WAIT).await?);
        };
        let remaining = crate::run(domain, &self.tools, &claimed).await?;
        context.engine.push_all(&remaining).await;
        Ok(JobOutcome::Completed)
    }
}
