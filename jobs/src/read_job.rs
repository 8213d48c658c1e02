//! Asynchronous reads: a worker waits for the extraction that the caller did not want to wait for.

use std::time::Duration;

use domain::articles::extraction::Reach;
use domain::articles::{Article, Freshness, KeptFailures};
use domain::jobs::{Claimed, JobKind};
use domain::reader::jobs::{self, ReadJob};
use domain::{Class, Millis, Result};
use tokio::time::Instant;

use crate::engine::Engine;
use crate::extraction;
use crate::handler::{Handler, JobError};

/// How long one try waits for its extraction.
const PATIENCE: Duration = Duration::from_mins(2);

/// Carries out read jobs.
pub(crate) fn handler(reach: Reach) -> Handler {
    Handler::new(JobKind::ReadJob, move |context, claimed| {
        let reach = reach.clone();
        async move { run(&context.engine, &reach, &claimed).await.map_err(JobError::from) }
    })
}

async fn run(engine: &Engine, reach: &Reach, claimed: &Claimed) -> Result<()> {
    let domain = engine.domain();
    let Some(job) = jobs::start(domain, claimed).await? else {
        return domain::jobs::complete(domain, claimed).await;
    };
    let result = read(engine, reach, claimed, &job).await;
    if result.as_ref().is_err_and(|error| error.class() == Class::Internal) {
        return result.map(|_| ());
    }
    jobs::finish(domain, claimed, job.id, result).await
}

/// The first try takes what a single read would; a repeated one asks the source again.
async fn read(engine: &Engine, reach: &Reach, claimed: &Claimed, job: &ReadJob) -> Result<Article> {
    let address = jobs::address(job, &reach.guard)?;
    let freshness = if claimed.attempt > 1 {
        Freshness { max_age_ms: Millis::from(job.max_age) * 1000, failures: KeptFailures::Retried }
    } else {
        Freshness::seconds(job.max_age)
    };
    let answer = extraction::obtain(engine, &address, freshness, Instant::now() + PATIENCE).await?;
    Ok(answer.article)
}
