//! Job that stars and saves the entries that rules match.

use articles::worker_tools::Tools;
use jobs::{Claimed, DueSource, JobKind, JobOutcome};

use jobs::Engine;
use jobs::{Job, JobContext, JobError};

/// Stars and saves the pending entries of one account.
#[derive(Clone)]
pub struct FeedRule;

impl Job for FeedRule {
    const KIND: JobKind = JobKind::FeedRule;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM rss_rule_save WHERE due_at <= {due})",
            claim: |engine| Box::pin(claim_due(engine)),
            further: None,
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(crate::save_pending(context.domain(), &claimed).await?.into())
    }
}

/// Submits jobs for accounts with pending entries. Returns the number of jobs.
async fn claim_due(engine: &Engine) -> kernel::Result<u64> {
    Ok(engine.push_all(&crate::claim_saves(engine.domain()).await?).await)
}
