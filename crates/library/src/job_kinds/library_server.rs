//! Job that imports a library from a server of another service.

use crate::transfer;
use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, JobKind, JobOutcome};
use kernel::Domain;

use jobs::{Job, JobContext, JobError};

/// Reads the next pages of one import server.
#[derive(Clone)]
pub struct LibraryServer {
    tools: Tools,
}

impl Job for LibraryServer {
    const KIND: JobKind = JobKind::LibraryServer;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(transfer::give_up_server(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(transfer::give_up_server(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let (outcome, next) = transfer::run_server(context.domain(), &self.tools, &claimed).await?;
        context.engine.push_all(next.as_slice()).await;
        Ok(outcome)
    }
}
