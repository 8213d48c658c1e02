//! Taking files into libraries.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::library::transfer;
use domain::worker::Tools;

use crate::handler::{Job, JobContext, JobError};

/// Carries out the imports of one account.
#[derive(Clone)]
pub(super) struct LibraryImport {
    pub(super) tools: Tools,
}

impl Job for LibraryImport {
    const KIND: JobKind = JobKind::LibraryImport;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(transfer::run_imports(context.domain(), &self.tools.sandbox, &claimed).await?.into())
    }
}
