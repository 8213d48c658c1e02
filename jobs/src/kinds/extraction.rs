//! Fetching and reading one URL.

use domain::articles::extraction;
use domain::jobs::{Claimed, JobKind, Outcome};
use domain::worker::Tools;

use crate::handler::{Context, Job, JobError};

/// Makes the text of a source.
#[derive(Clone)]
pub(super) struct Extraction {
    pub(super) tools: Tools,
}

impl Job for Extraction {
    const KIND: JobKind = JobKind::Extraction;

    async fn run(self, context: Context, claimed: Claimed) -> Result<Outcome, JobError> {
        Ok(extraction::run(context.domain(), &self.tools, &claimed).await?.into())
    }
}
