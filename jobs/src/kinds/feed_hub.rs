//! Asking the hubs of feeds for news.

use domain::feeds::hubs;
use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::worker::Tools;

use crate::engine::Engine;
use crate::handler::{Job, JobContext, JobError};

/// Subscribes to a feed at its hub.
#[derive(Clone)]
pub(super) struct FeedHub {
    pub(super) tools: Tools,
}

impl Job for FeedHub {
    const KIND: JobKind = JobKind::FeedHub;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(hubs::subscribe(context.domain(), &self.tools, &claimed).await?.into())
    }
}

/// Makes jobs of the hubs that are to be asked.
pub(super) async fn claim_due(engine: &Engine) -> domain::Result<u64> {
    Ok(engine.hand_over(&hubs::claim_due(engine.domain()).await?).await)
}
