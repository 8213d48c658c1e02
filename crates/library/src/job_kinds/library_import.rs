//! Job that imports files into a library.

use crate::transfer;
use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, JobKind, JobOutcome};
use kernel::Domain;

use jobs::{Job, JobContext, JobError};

/// Processes the imports of one account.
#[derive(Clone)]
pub struct LibraryImportJob {
    tools: Tools,
}

impl Job for LibraryImportJob {
    const KIND: JobKind = JobKind::LibraryImport;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(transfer::give_up_imports(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(transfer::give_up_imports(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(transfer::run_imports(context.domain(), &self.tools.sandbox, &claimed).await?.into())
    }
}
