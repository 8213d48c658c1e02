//! Fetch and extraction of one URL.

use crate::caller_limit::{CallerArguments, CallerLimit};
use crate::extraction;
use crate::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, JobKind, JobOutcome};
use kernel::Domain;

use jobs::{Job, JobContext, JobError};

/// Extracts the text of a source.
#[derive(Clone)]
pub struct Extraction {
    tools: Tools,
    limit: CallerLimit,
}

impl Job for Extraction {
    const KIND: JobKind = JobKind::Extraction;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone(), limit: CallerLimit::new(tools.settings.extractions_per_caller) }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(extraction::give_up(domain, &job.key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let CallerArguments { caller, .. } = claimed.arguments()?;
        let _permit = self.limit.acquire(&claimed, caller.as_deref()).await;
        Ok(extraction::run(context.domain(), &self.tools, &claimed, (caller, false)).await?.into())
    }
}
