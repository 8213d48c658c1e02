//! Job that searches a library by meaning.

use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, Job, JobContext, JobError, JobKind, JobOutcome};
use kernel::Domain;

use crate::meaning_search_job;

/// Runs one search.
#[derive(Clone)]
pub struct MeaningSearchJob {
    tools: Tools,
}

impl Job for MeaningSearchJob {
    const KIND: JobKind = JobKind::MeaningSearch;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(meaning_search_job::give_up(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(meaning_search_job::give_up(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        meaning_search_job::run(context.domain(), self.tools.model.as_ref(), &claimed).await
    }
}
