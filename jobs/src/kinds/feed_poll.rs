//! Polling batches of feeds.

use domain::feeds;
use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::worker::Tools;

use crate::engine::Engine;
use crate::handler::{Job, JobContext, JobError};

/// Polls a batch of feeds.
#[derive(Clone)]
pub(super) struct FeedPoll {
    pub(super) tools: Tools,
}

impl Job for FeedPoll {
    const KIND: JobKind = JobKind::FeedPoll;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        // A feed that takes its worker down must not take the others of its batch with it.
        if claimed.attempt > 1
            && let Some(single) = feeds::split_batch(context.domain(), &claimed).await?
        {
            context.engine.hand_over(&single).await;
            return Ok(JobOutcome::Completed);
        }
        feeds::poll_batch(context.domain(), &self.tools, &claimed).await?;
        Ok(JobOutcome::Completed)
    }
}

/// Makes jobs of the feeds that are due.
pub(super) async fn claim_due(engine: &Engine) -> domain::Result<u64> {
    Ok(engine.hand_over(&feeds::claim_due(engine.domain()).await?).await)
}

/// Makes jobs of more of them.
pub(super) async fn claim_further(engine: &Engine) -> domain::Result<u64> {
    Ok(engine.hand_over(&feeds::claim_polls(engine.domain()).await?).await)
}
