//! Messages about the new entries of feeds.

use articles::worker_tools::Tools;
use jobs::{Claimed, DueSource, JobKind, JobOutcome};

use jobs::Engine;
use jobs::{Job, JobContext, JobError};

/// Writes the messages about the new entries of a feed.
#[derive(Clone)]
pub struct EntryNotices;

impl Job for EntryNotices {
    const KIND: JobKind = JobKind::EntryNotices;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM feed_notice_request WHERE due_at <= {due})",
            claim: |engine| Box::pin(claim_due(engine)),
            further: None,
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        crate::write_entry_notices(context.domain(), &claimed).await?;
        Ok(JobOutcome::Completed)
    }
}

/// Submits jobs for feeds with new entries. Returns the number of jobs.
async fn claim_due(engine: &Engine) -> kernel::Result<u64> {
    Ok(engine.push_all(&crate::claim_notice_requests(engine.domain()).await?).await)
}
