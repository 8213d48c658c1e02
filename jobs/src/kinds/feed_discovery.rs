//! Looking for the feeds of a site.

use domain::feeds;
use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::worker::Tools;

use crate::handler::{Job, JobContext, JobError};

/// Finds the feeds of a site.
#[derive(Clone)]
pub(super) struct FeedDiscovery {
    pub(super) tools: Tools,
}

impl Job for FeedDiscovery {
    const KIND: JobKind = JobKind::FeedDiscovery;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(feeds::discover(context.domain(), &self.tools, &claimed).await?.into())
    }
}
