//! Fetching a picture of a page that somebody looks at.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::pictures;
use domain::worker::Tools;

use crate::handler::{Job, JobContext, JobError};

/// Fetches a picture.
#[derive(Clone)]
pub(super) struct Picture {
    pub(super) tools: Tools,
}

impl Job for Picture {
    const KIND: JobKind = JobKind::Picture;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(pictures::fetch_picture(context.domain(), &self.tools, &claimed).await?.into())
    }
}
