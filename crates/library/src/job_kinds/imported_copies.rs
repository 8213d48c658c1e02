//! Job that requests an account's daily page copies of imported items.

use articles::worker_tools::Tools;
use jobs::{Claimed, DueSource, JobKind, JobOutcome};

use crate::imported_copies;
use jobs::{Engine, Job, JobContext, JobError};

/// Requests the page copies of imported items of one account for a day.
#[derive(Clone)]
pub struct ImportedCopies;

impl Job for ImportedCopies {
    const KIND: JobKind = JobKind::ImportedCopies;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM library_account WHERE copy_imports_due_at <= {due})",
            claim: |engine| Box::pin(claim_due(engine)),
            further: None,
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(imported_copies::run(context.domain(), &claimed).await?.into())
    }
}

/// Submits jobs for accounts that are due. Returns the number of jobs.
async fn claim_due(engine: &Engine) -> kernel::Result<u64> {
    Ok(engine.push_all(&imported_copies::claim_due(engine.domain()).await?).await)
}
