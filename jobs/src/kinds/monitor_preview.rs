//! Showing what a monitor would look at.

use domain::jobs::{Claimed, JobKind, Outcome};
use domain::monitors;
use domain::worker::Tools;

use crate::handler::{Context, Job, JobError};

/// Makes one preview.
#[derive(Clone)]
pub(super) struct MonitorPreview {
    pub(super) tools: Tools,
}

impl Job for MonitorPreview {
    const KIND: JobKind = JobKind::MonitorPreview;

    async fn run(self, context: Context, claimed: Claimed) -> Result<Outcome, JobError> {
        Ok(monitors::make_preview(context.domain(), &self.tools, &claimed).await?.into())
    }
}
