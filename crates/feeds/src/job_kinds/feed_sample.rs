//! Newest entries of a feed for previews of its rewrite rules.

use articles::worker_tools::Tools;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Fetches the newest entries of a feed.
#[derive(Clone)]
pub struct FeedSample {
    tools: Tools,
}

impl Job for FeedSample {
    const KIND: JobKind = JobKind::FeedSample;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(crate::take_sample(context.domain(), &self.tools, &claimed).await?.into())
    }
}
