//! Job kind for previews of the content that a monitor would observe.

use jobs::{Claimed, JobKind, JobOutcome};

use articles::worker_tools::Tools;

use jobs::{Job, JobContext, JobError};

/// Job kind that creates previews.
#[derive(Clone)]
pub struct MonitorPreviewJob {
    tools: Tools,
}

impl Job for MonitorPreviewJob {
    const KIND: JobKind = JobKind::MonitorPreview;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(crate::run_preview(context.domain(), &self.tools, &claimed).await?.into())
    }
}
