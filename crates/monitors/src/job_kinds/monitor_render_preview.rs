//! Job kind for previews of monitors whose page is rendered in a browser.

use articles::CallerLimit;
use articles::worker_tools::Tools;
use jobs::{Claimed, Job, JobContext, JobError, JobKind, JobOutcome};

use crate::args::BrowserJobOwner;

/// Job kind that creates previews in the worker's browser.
#[derive(Clone)]
pub struct MonitorRenderPreview {
    tools: Tools,
    limit: CallerLimit,
}

impl Job for MonitorRenderPreview {
    const KIND: JobKind = JobKind::MonitorRenderPreview;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone(), limit: CallerLimit::of_browser(Self::KIND) }
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let BrowserJobOwner { account_id } = claimed.arguments()?;
        let _permit = self.limit.acquire(&claimed, Some(&account_id.to_string())).await;
        Ok(crate::run_preview(context.domain(), &self.tools, &claimed).await?.into())
    }
}
