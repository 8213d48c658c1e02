//! Delivery of mail.

use articles::worker_tools::Tools;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Sends one mail.
#[derive(Clone)]
pub struct Mail {
    tools: Tools,
}

impl Job for Mail {
    const KIND: JobKind = JobKind::Mail;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(crate::delivery::deliver(context.domain(), self.tools.settings.mailer.as_ref(), &claimed)
            .await?
            .into())
    }
}
