//! Discovers and follows the URLs of a committed mutation whose feeds are still unknown.

use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use kernel::Domain;
use std::time::Duration;

use crate::DeferredFollows;
use futures_util::future::join_all;
use jobs::{Claimed, DeadJob, JobKind, JobOutcome};
use tokio::time::Instant;

use jobs::{Job, JobContext, JobError};

/// Maximum time that one attempt waits for all its discoveries.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Discovers the feeds at the URLs and follows them.
#[derive(Clone)]
pub struct FeedFollow;

impl Job for FeedFollow {
    const KIND: JobKind = JobKind::FeedFollow;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(crate::give_up_following(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(crate::give_up_following(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let domain = context.domain();
        let Some(following) = DeferredFollows::start(domain, &claimed).await? else {
            return Ok(jobs::complete(domain, &claimed).await?.into());
        };
        let deadline = Instant::now() + TIMEOUT;
        let settling = following.urls().iter().map(async |(index, url)| {
            let discovered = match following.request(domain, url).await {
                Ok(progress) => context.engine.await_result(progress, deadline).await,
                Err(error) => Err(error),
            };
            following.settle(domain, &claimed, *index, discovered).await
        });
        for settled in join_all(settling).await {
            settled?;
        }
        Ok(following.finish(domain, &claimed).await?)
    }
}
