//! Job that copies the page of an item in a browser.

use articles::CallerLimit;
use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, Job, JobContext, JobError, JobKind, JobOutcome};
use kernel::{Code, Domain};

use crate::page_copy_creation;

/// Creates one copy.
#[derive(Clone)]
pub struct LibraryPageCopyJob {
    tools: Tools,
    limit: CallerLimit,
}

impl Job for LibraryPageCopyJob {
    const KIND: JobKind = JobKind::LibraryPageCopy;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone(), limit: CallerLimit::of_browser(Self::KIND) }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(page_copy_creation::give_up(domain, &job.key, Code::UnsupportedContent))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(page_copy_creation::give_up(domain, key, Code::ServiceUnavailable))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let tools = (&self.tools, &self.limit);
        Ok(Box::pin(page_copy_creation::run(context.domain(), tools, &claimed)).await?)
    }
}
