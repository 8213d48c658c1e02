//! Asynchronous reads, for which a worker waits for the extraction instead of the caller.

use crate::worker_tools::Tools;
use std::time::Duration;

use crate::reader::charge_rendering;
use crate::reader::read_jobs::{self, ReadJob, ReadJobArguments};
use crate::{Article, FetchPurpose, Freshness, QueueOutage, ReadOptions, RecentFailures};
use futures_util::future::{BoxFuture, FutureExt};
use identity::limits::Network;
use jobs::{Claimed, JobKind, JobOutcome};
use kernel::{Class, Domain, Millis, Result};
use tokio::time::Instant;

use jobs::Engine;
use jobs::{Job, JobContext, JobError};

/// Maximum time that one attempt waits for its extraction.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Executes a read job.
#[derive(Clone)]
pub struct ReadJobRunner;

impl Job for ReadJobRunner {
    const KIND: JobKind = JobKind::ReadJob;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let domain = context.domain();
        let Some(job) = read_jobs::start(domain, &claimed).await? else {
            return Ok(jobs::complete(domain, &claimed).await?.into());
        };
        let ReadJobArguments { caller, network } = claimed.arguments()?;
        let reading = read(&context.engine, &claimed, &job, network);
        let article = match caller {
            Some(caller) => kernel::caller::with(caller, reading).await,
            None => reading.await,
        };
        match article {
            Err(error) if error.class() == Class::Internal => Err(error.into()),
            result => Ok(read_jobs::finish(domain, &claimed, job.id, result).await?),
        }
    }
}

/// Reads the text of a job. The first attempt accepts a cached text or failure, like a synchronous read.
/// Further attempts fetch the source again. If the queue is unavailable, the attempt is delayed but does not fail.
async fn read(
    engine: &Engine,
    claimed: &Claimed,
    job: &ReadJob,
    network: Option<Network>,
) -> Result<Article> {
    let address = read_jobs::address(engine.domain(), job)?;
    let freshness = if claimed.attempt > 1 {
        Freshness { max_age_ms: Millis::from(job.max_age) * 1000, failures: RecentFailures::Retried }
    } else {
        Freshness::seconds(job.max_age)
    };
    let options = ReadOptions {
        purpose: FetchPurpose::Read,
        payer: None,
        freshness,
        render: job.render,
        permission: network.map(|network| permission(engine.domain(), network)),
        outage: QueueOutage::Awaited,
        deadline: Instant::now() + TIMEOUT,
    };
    Ok(crate::read(engine, &address, options).await?.answer.article)
}

/// Charges a rendering to the network of a job. Returns false if the allowance of the network is used up.
fn permission(domain: &Domain, network: Network) -> BoxFuture<'_, bool> {
    async move { charge_rendering(domain, &network).await.is_none_or(|charged| charged.allowed) }.boxed()
}
