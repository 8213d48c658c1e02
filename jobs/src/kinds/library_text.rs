//! Making the texts of library items that nobody waits for.

use std::time::Duration;

use domain::jobs::{self, Claimed, JobKind, JobOutcome};
use domain::library::work::{self, Reading, TextWork};
use domain::worker::Tools;
use tokio::time::Instant;

use crate::engine::Engine;
use crate::handler::{Job, JobContext, JobError};

/// How long one try waits for its extraction.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Makes the text of one item.
#[derive(Clone)]
pub(super) struct LibraryText {
    pub(super) tools: Tools,
}

impl Job for LibraryText {
    const KIND: JobKind = JobKind::LibraryText;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let domain = context.domain();
        let Some(mut work) = work::start(domain, &claimed).await? else {
            return Ok(jobs::complete(domain, &claimed).await?.into());
        };
        let reading = match work.read(domain, &self.tools.sandbox).await {
            Some(reading) => reading,
            None => fetch(&context.engine, &work).await,
        };
        Ok(work::finish(domain, &claimed, work, reading).await?.into())
    }
}

async fn fetch(engine: &Engine, work: &TextWork) -> Reading {
    let obtained = match work.request(engine.domain()).await {
        Ok(progress) => engine.await_result(progress, Instant::now() + TIMEOUT).await,
        Err(error) => Err(error),
    };
    Reading::of(obtained).await
}

/// Makes jobs of the items whose texts are due.
pub(super) async fn claim_due(engine: &Engine) -> domain::Result<u64> {
    Ok(engine.hand_over(&work::claim_due(engine.domain()).await?).await)
}
