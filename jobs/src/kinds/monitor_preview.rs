//! Showing what a monitor would look at.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::monitors;
use domain::worker::Tools;

use crate::handler::{Job, JobContext, JobError};

/// Makes one preview.
#[derive(Clone)]
pub(super) struct MonitorPreview {
    pub(super) tools: Tools,
}

impl Job for MonitorPreview {
    const KIND: JobKind = JobKind::MonitorPreview;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(monitors::run_preview(context.domain(), &self.tools, &claimed).await?.into())
    }
}
