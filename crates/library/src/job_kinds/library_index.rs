//! Job that rebuilds the search index of a library.

use articles::worker_tools::Tools;
use jobs::{Claimed, DueSource, JobKind, JobOutcome};

use crate::index_rebuild;
use jobs::{Engine, Job, JobContext, JobError};

/// Rewrites the index rows of one library that an earlier version wrote.
#[derive(Clone)]
pub struct LibraryIndex;

impl Job for LibraryIndex {
    const KIND: JobKind = JobKind::LibraryIndex;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM library_account WHERE reindex_at <= {due})",
            claim: |engine| Box::pin(claim_due(engine)),
            further: None,
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(index_rebuild::rebuild(context.domain(), &claimed).await?.into())
    }
}

/// Submits jobs for libraries whose rebuild is due. Returns the number of jobs.
async fn claim_due(engine: &Engine) -> kernel::Result<u64> {
    Ok(engine.push_all(&index_rebuild::claim_due(engine.domain()).await?).await)
}
