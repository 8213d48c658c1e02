//! Job that saves a received message as a library item.

use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, Job, JobContext, JobError, JobKind, JobOutcome};
use kernel::Domain;

use crate::processing;

/// Saves one message.
#[derive(Clone)]
pub struct InboxMessageJob {
    tools: Tools,
}

impl Job for InboxMessageJob {
    const KIND: JobKind = JobKind::InboxMessage;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(processing::give_up(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(processing::give_up(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        processing::process(context.domain(), &self.tools.sandbox, &claimed).await
    }
}
