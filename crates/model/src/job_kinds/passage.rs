//! Job that lets the language model work on a passage.

use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, Job, JobContext, JobError, JobKind, JobOutcome};
use kernel::Domain;

use crate::passage_job;

/// Answers one request about a passage.
#[derive(Clone)]
pub struct PassageJob {
    tools: Tools,
}

impl Job for PassageJob {
    const KIND: JobKind = JobKind::Passage;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(passage_job::give_up(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(passage_job::give_up(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        passage_job::run(context.domain(), self.tools.model.as_ref(), &claimed).await
    }
}
