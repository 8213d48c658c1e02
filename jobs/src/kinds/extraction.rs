//! Fetching and reading one URL.

use domain::articles::extraction::{self, Reach};
use domain::jobs::{Claimed, JobKind, Outcome};

use crate::handler::{Context, Job, JobError};

/// Makes the text of a source.
#[derive(Clone)]
pub(super) struct Extraction {
    pub(super) reach: Reach,
}

impl Job for Extraction {
    const KIND: JobKind = JobKind::Extraction;

    async fn run(self, context: Context, claimed: Claimed) -> Result<Outcome, JobError> {
        Ok(extraction::run(context.domain(), &self.reach, &claimed).await?.into())
    }
}
