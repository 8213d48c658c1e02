//! Discovery of the feeds of a site.

use articles::worker_tools::Tools;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Discovers the feeds of a site.
#[derive(Clone)]
pub struct FeedDiscovery {
    tools: Tools,
}

impl FeedDiscovery {
    /// Creates the job with the tools of its worker.
    pub fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }
}

impl Job for FeedDiscovery {
    const KIND: JobKind = JobKind::FeedDiscovery;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(crate::discover(context.domain(), &self.tools, &claimed).await?.into())
    }
}
