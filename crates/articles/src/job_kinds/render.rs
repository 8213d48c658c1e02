//! Fetch of one URL whose scripts run in a browser, and extraction of its text.

use crate::caller_limit::{CallerArguments, CallerLimit};
use crate::extraction;
use crate::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, JobKind, JobOutcome};
use kernel::Domain;

use jobs::{Job, JobContext, JobError};

/// Renders a source and extracts its text.
#[derive(Clone)]
pub struct RenderJob {
    tools: Tools,
    limit: CallerLimit,
}

impl Job for RenderJob {
    const KIND: JobKind = JobKind::Render;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone(), limit: CallerLimit::of_browser(Self::KIND) }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(extraction::give_up(domain, &job.key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let CallerArguments { caller, dismiss_cookie_notices } = claimed.arguments()?;
        let _permit = self.limit.acquire(&claimed, caller.as_deref()).await;
        let rendering = (caller, dismiss_cookie_notices);
        Ok(extraction::run(context.domain(), &self.tools, &claimed, rendering).await?.into())
    }
}
