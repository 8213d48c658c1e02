//! Polls of feeds in batches.

use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, DueSource, JobKind, JobOutcome};
use kernel::Domain;

use jobs::Engine;
use jobs::{Job, JobContext, JobError};

/// Polls a batch of feeds.
#[derive(Clone)]
pub struct FeedPoll {
    tools: Tools,
}

impl Job for FeedPoll {
    const KIND: JobKind = JobKind::FeedPoll;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(crate::give_up_poll(domain, job))
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM feed WHERE next_poll_at <= {due}) \
                        OR EXISTS (SELECT 1 FROM feed_text_request WHERE next_try_at <= {due})",
            claim: |engine| Box::pin(claim_due(engine)),
            further: Some(|engine| Box::pin(claim_further(engine))),
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        // A feed that crashes its worker must not affect the other feeds of its batch.
        if claimed.attempt > 1
            && let Some(single) = crate::split_batch(context.domain(), &claimed).await?
        {
            context.engine.push_all(&single).await;
            return Ok(JobOutcome::Completed);
        }
        crate::poll_batch(context.domain(), &self.tools, &claimed).await?;
        Ok(JobOutcome::Completed)
    }
}

/// Submits jobs for due feeds. Returns the number of jobs.
async fn claim_due(engine: &Engine) -> kernel::Result<u64> {
    Ok(engine.push_all(&crate::claim_due(engine.domain()).await?).await)
}

/// Submits jobs for feeds that are still due in the same tick. Returns the number of jobs.
async fn claim_further(engine: &Engine) -> kernel::Result<u64> {
    Ok(engine.push_all(&crate::claim_polls(engine.domain()).await?).await)
}
