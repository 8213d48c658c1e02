//! Fetching and reading one URL.

use domain::articles::extraction;
use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::worker::Tools;

use crate::handler::{Job, JobContext, JobError};

/// Makes the text of a source.
#[derive(Clone)]
pub(super) struct Extraction {
    pub(super) tools: Tools,
}

impl Job for Extraction {
    const KIND: JobKind = JobKind::Extraction;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(extraction::run(context.domain(), &self.tools, &claimed).await?.into())
    }
}
