//! Job that exports a library to files.

use crate::transfer;
use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, JobKind, JobOutcome};
use kernel::Domain;

use jobs::{Job, JobContext, JobError};

/// Creates one export.
#[derive(Clone)]
pub struct LibraryExportJob;

impl Job for LibraryExportJob {
    const KIND: JobKind = JobKind::LibraryExport;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(transfer::give_up_export(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(transfer::give_up_export(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(Box::pin(transfer::run_export(context.domain(), &claimed)).await?.into())
    }
}
