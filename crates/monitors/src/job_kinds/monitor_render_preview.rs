//! Job kind for previews of monitors whose page is rendered in a browser.

use jobs::{Claimed, JobKind, JobOutcome};

use articles::worker_tools::Tools;

use jobs::{Job, JobContext, JobError};

/// Job kind that creates previews in the worker's browser.
#[derive(Clone)]
pub struct MonitorRenderPreview {
    tools: Tools,
}

impl MonitorRenderPreview {
    /// Creates the job for a worker with these tools.
    pub fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }
}

impl Job for MonitorRenderPreview {
    const KIND: JobKind = JobKind::MonitorRenderPreview;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(crate::run_preview(context.domain(), &self.tools, &claimed).await?.into())
    }
}
