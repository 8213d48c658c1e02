//! Fetch of OAuth client metadata documents.

use crate::oauth;
use fetch::Fetcher;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Fetches the metadata document of an app.
#[derive(Clone)]
pub struct OAuthClient {
    fetcher: Fetcher,
}

impl Job for OAuthClient {
    const KIND: JobKind = JobKind::OAuthClient;
    type Tools = Fetcher;

    fn new(fetcher: &Fetcher) -> Self {
        Self { fetcher: fetcher.clone() }
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(oauth::fetch_client(context.domain(), &self.fetcher, &claimed).await?.into())
    }
}
