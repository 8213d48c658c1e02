//! Job that lets the language model write a briefing of a collection.

use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, Job, JobContext, JobError, JobKind, JobOutcome};
use kernel::Domain;

use crate::briefing_job;

/// Writes one briefing.
#[derive(Clone)]
pub struct BriefingJob {
    tools: Tools,
}

impl Job for BriefingJob {
    const KIND: JobKind = JobKind::Briefing;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(briefing_job::give_up(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(briefing_job::give_up(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        briefing_job::run(context.domain(), self.tools.model.as_ref(), &claimed).await
    }
}
