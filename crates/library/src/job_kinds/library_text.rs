//! Job that creates the text of a library item in the background.

use futures_util::future::BoxFuture;
use kernel::Domain;
use std::time::Duration;

use crate::text_queue::{self, TextJob, TextResult};
use articles::worker_tools::Tools;
use jobs::{Claimed, DeadJob, DueSource, JobKind, JobOutcome};
use tokio::time::Instant;

use jobs::Engine;
use jobs::{Job, JobContext, JobError};

/// Maximum time for which one attempt waits for the fetch and the extraction.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Creates the text of one item.
#[derive(Clone)]
pub struct LibraryText {
    tools: Tools,
}

impl Job for LibraryText {
    const KIND: JobKind = JobKind::LibraryText;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(text_queue::give_up(domain, &job.key))
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM library_item WHERE next_try_at <= {due})",
            claim: |engine| Box::pin(claim_due(engine)),
            further: None,
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let domain = context.domain();
        let Some(mut work) = text_queue::start(domain, &claimed).await? else {
            return Ok(jobs::complete(domain, &claimed).await?.into());
        };
        let reading = match work.read(domain, &self.tools.sandbox).await {
            Some(reading) => reading,
            None => fetch(&context.engine, &work).await,
        };
        Ok(text_queue::finish(domain, &claimed, work, reading).await?.into())
    }
}

async fn fetch(engine: &Engine, work: &TextJob) -> TextResult {
    TextResult::of(work.obtain(engine, Instant::now() + TIMEOUT).await).await
}

/// Submits jobs for items whose texts are due. Returns the number of jobs.
async fn claim_due(engine: &Engine) -> kernel::Result<u64> {
    Ok(engine.push_all(&text_queue::claim_due(engine.domain()).await?).await)
}
