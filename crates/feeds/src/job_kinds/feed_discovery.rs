//! Discovery of the feeds of a site.

use articles::worker_tools::Tools;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Discovers the feeds of a site.
#[derive(Clone)]
pub struct FeedDiscovery {
    tools: Tools,
}

impl Job for FeedDiscovery {
    const KIND: JobKind = JobKind::FeedDiscovery;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(crate::discover(context.domain(), &self.tools, &claimed).await?.into())
    }
}
