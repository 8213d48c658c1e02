//! Sending mail.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::mail;
use domain::worker::Tools;

use crate::handler::{Job, JobContext, JobError};

/// Sends one mail.
#[derive(Clone)]
pub(super) struct Mail {
    pub(super) tools: Tools,
}

impl Job for Mail {
    const KIND: JobKind = JobKind::Mail;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(mail::deliver(context.domain(), self.tools.settings.mailer.as_ref(), &claimed).await?.into())
    }
}
