//! Following the addresses of a commit of which nobody knew what they are.

use std::time::Duration;

use domain::feeds::Following;
use domain::jobs::{self, Claimed, JobKind, JobOutcome};
use futures_util::future::join_all;
use tokio::time::Instant;

use crate::handler::{Job, JobContext, JobError};

/// How long one try waits for all its discoveries.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Finds out what lies at the addresses, and follows it.
#[derive(Clone)]
pub(super) struct FeedFollow;

impl Job for FeedFollow {
    const KIND: JobKind = JobKind::FeedFollow;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let domain = context.domain();
        let Some(following) = Following::start(domain, &claimed).await? else {
            return Ok(jobs::complete(domain, &claimed).await?.into());
        };
        let deadline = Instant::now() + TIMEOUT;
        let settling = following.urls().iter().map(async |(index, url)| {
            let found = match following.request(domain, url).await {
                Ok(progress) => context.engine.await_result(progress, deadline).await,
                Err(error) => Err(error),
            };
            following.settle(domain, &claimed, *index, found).await
        });
        for settled in join_all(settling).await {
            settled?;
        }
        Ok(following.finish(domain, &claimed).await?)
    }
}
