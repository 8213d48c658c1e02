//! Job kind for the delivery of messages to channels.

use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, JobKind, JobOutcome};
use kernel::Domain;

use articles::worker_tools::Tools;

use jobs::{Job, JobContext, JobError};

/// Sends one message to a channel.
#[derive(Clone)]
pub struct NoticeJob {
    tools: Tools,
}

impl Job for NoticeJob {
    const KIND: JobKind = JobKind::Notice;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(crate::give_up(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(crate::give_up(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(crate::deliver(context.domain(), &self.tools, &claimed).await?)
    }
}
