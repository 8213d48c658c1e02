//! Fetching what an app says of itself at an address of its own.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::oauth;
use domain::worker::Tools;

use crate::handler::{Job, JobContext, JobError};

/// Fetches the document of an app.
#[derive(Clone)]
pub(super) struct OAuthClient {
    pub(super) tools: Tools,
}

impl Job for OAuthClient {
    const KIND: JobKind = JobKind::OAuthClient;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(oauth::fetch_client(context.domain(), &self.tools, &claimed).await?.into())
    }
}
