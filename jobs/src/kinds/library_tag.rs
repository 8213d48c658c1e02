//! Changing a tag on everything that has it.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::library;

use crate::handler::{Job, JobContext, JobError};

/// Renames a tag of one library, or takes it off.
#[derive(Clone)]
pub(super) struct LibraryTag;

impl Job for LibraryTag {
    const KIND: JobKind = JobKind::LibraryTag;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(library::change_tag(context.domain(), &claimed).await?.into())
    }
}
