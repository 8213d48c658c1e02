//! Job that removes the tags that the language model attached to items.

use articles::worker_tools::Tools;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Removes the tags that the model attached from all items of one library.
#[derive(Clone)]
pub struct ModelTags;

impl Job for ModelTags {
    const KIND: JobKind = JobKind::ModelTags;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(crate::remove_all_model_tags(context.domain(), &claimed).await?.into())
    }
}
