//! Job that lets the language model summarize an item, or choose tags for it. Requests for imported items are due rows.

use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, DueSource, Job, JobContext, JobError, JobKind, JobOutcome};
use kernel::Domain;

use crate::{import_tagging, summary_job};

/// Summarizes one item.
#[derive(Clone)]
pub struct SummaryJob {
    tools: Tools,
}

impl Job for SummaryJob {
    const KIND: JobKind = JobKind::Summary;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(summary_job::give_up(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(summary_job::give_up(domain, key))
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM model_import_tagging WHERE due_at <= {due})",
            claim: |engine| Box::pin(import_tagging::claim_due(engine)),
            further: None,
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        summary_job::run(context.domain(), self.tools.model.as_ref(), &claimed).await
    }
}
