//! Job that changes a tag on all objects that have it.

use articles::worker_tools::Tools;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Renames or removes a tag in one library.
#[derive(Clone)]
pub struct LibraryTagJob;

impl Job for LibraryTagJob {
    const KIND: JobKind = JobKind::LibraryTag;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(crate::change_tag(context.domain(), &claimed).await?.into())
    }
}
