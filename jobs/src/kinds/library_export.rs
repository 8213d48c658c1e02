//! Writing libraries into files.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::library::transfer;

use crate::handler::{Job, JobContext, JobError};

/// Makes one export.
#[derive(Clone)]
pub(super) struct LibraryExport;

impl Job for LibraryExport {
    const KIND: JobKind = JobKind::LibraryExport;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(Box::pin(transfer::run_export(context.domain(), &claimed)).await?.into())
    }
}
