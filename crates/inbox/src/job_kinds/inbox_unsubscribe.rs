//! Job that unsubscribes from a newsletter.

use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, Job, JobContext, JobError, JobKind, JobOutcome};
use kernel::Domain;

use crate::unsubscribe;

/// Posts one request to unsubscribe.
#[derive(Clone)]
pub struct InboxUnsubscribe {
    tools: Tools,
}

impl Job for InboxUnsubscribe {
    const KIND: JobKind = JobKind::InboxUnsubscribe;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(unsubscribe::give_up(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(unsubscribe::give_up(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        unsubscribe::post(context.domain(), &self.tools.fetcher, &claimed).await
    }
}
