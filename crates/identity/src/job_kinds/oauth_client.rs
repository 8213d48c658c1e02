//! Fetching what an app says of itself at an address of its own.

use crate::oauth;
use fetch::Fetcher;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Fetches the document of an app.
#[derive(Clone)]
pub struct OAuthClient {
    fetcher: Fetcher,
}

impl OAuthClient {
    /// The job on a worker with this fetcher.
    pub fn new(fetcher: &Fetcher) -> Self {
        Self { fetcher: fetcher.clone() }
    }
}

impl Job for OAuthClient {
    const KIND: JobKind = JobKind::OAuthClient;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(oauth::fetch_client(context.domain(), &self.fetcher, &claimed).await?.into())
    }
}
