//! Subscriptions to feeds at their hubs.

use crate::hubs;
use articles::worker_tools::Tools;
use jobs::{Claimed, DueSource, JobKind, JobOutcome};

use jobs::Engine;
use jobs::{Job, JobContext, JobError};

/// Subscribes to a feed at its hub.
#[derive(Clone)]
pub struct FeedHub {
    tools: Tools,
}

impl Job for FeedHub {
    const KIND: JobKind = JobKind::FeedHub;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM feed_hub WHERE next_try_at <= {due})",
            claim: |engine| Box::pin(claim_due(engine)),
            further: None,
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(hubs::subscribe(context.domain(), &self.tools, &claimed).await?.into())
    }
}

/// Submits jobs for due hub subscriptions. Returns the number of jobs.
async fn claim_due(engine: &Engine) -> kernel::Result<u64> {
    Ok(engine.push_all(&hubs::claim_due(engine.domain()).await?).await)
}
