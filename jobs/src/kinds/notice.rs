//! Sending notices to channels.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::notices;
use domain::worker::Tools;

use crate::handler::{Job, JobContext, JobError};

/// Sends one message to a channel.
#[derive(Clone)]
pub(super) struct Notice {
    pub(super) tools: Tools,
}

impl Job for Notice {
    const KIND: JobKind = JobKind::Notice;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(notices::deliver(context.domain(), &self.tools, &claimed).await?)
    }
}
