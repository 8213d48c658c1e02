//! Asynchronous reads, for which a worker waits for the extraction instead of the caller.

use crate::worker_tools::Tools;
use std::time::Duration;

use crate::caller_limit::CallerArguments;
use crate::reader;
use crate::{Article, Freshness, RecentFailures};
use jobs::{Claimed, JobKind, JobOutcome, Progress};
use kernel::{Class, Millis, Result};
use tokio::time::Instant;

use jobs::Engine;
use jobs::{Job, JobContext, JobError};

/// Maximum time that one attempt waits for its extraction.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Executes a read job.
#[derive(Clone)]
pub struct ReadJobRunner;

impl ReadJobRunner {
    /// Creates the job. It does not use the worker's tools.
    pub fn new(_tools: &Tools) -> Self {
        Self
    }
}

impl Job for ReadJobRunner {
    const KIND: JobKind = JobKind::ReadJob;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let domain = context.domain();
        let Some(job) = reader::read_jobs::start(domain, &claimed).await? else {
            return Ok(jobs::complete(domain, &claimed).await?.into());
        };
        let CallerArguments { caller } = claimed.arguments()?;
        let reading = read(&context.engine, &claimed, &job);
        let article = match caller {
            Some(caller) => kernel::caller::with(caller, reading).await,
            None => reading.await,
        };
        match article {
            Err(error) if error.class() == Class::Internal => Err(error.into()),
            result => Ok(reader::read_jobs::finish(domain, &claimed, job.id, result).await?),
        }
    }
}

/// Reads the text of a job. The first attempt accepts a cached text or failure, like a synchronous read.
/// Further attempts fetch the source again.
async fn read(engine: &Engine, claimed: &Claimed, job: &reader::read_jobs::ReadJob) -> Result<Article> {
    let address = reader::read_jobs::address(engine.domain(), job)?;
    let freshness = if claimed.attempt > 1 {
        Freshness { max_age_ms: Millis::from(job.max_age) * 1000, failures: RecentFailures::Retried }
    } else {
        Freshness::seconds(job.max_age)
    };
    let mut progress = crate::request(engine.domain(), None, &address, freshness).await?;
    if let Progress::Waiting { job, .. } = &mut progress {
        // If the queue is unavailable, this attempt is delayed but does not fail.
        engine.push_all(std::slice::from_ref(job)).await;
        job.to_push = false;
    }
    let obtained = engine.await_result(progress, Instant::now() + TIMEOUT).await?;
    Ok(obtained.answer.article)
}
