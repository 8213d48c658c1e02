//! Job that lets the language model explain a change of a monitor. Overdue explanations are due rows of the job kind
//! that runs monitors, so that their messages are sent even while this job kind is paused.

use articles::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, Job, JobContext, JobError, JobKind, JobOutcome};
use kernel::Domain;

use crate::explanation_job;

/// Explains one change.
#[derive(Clone)]
pub struct ChangeExplanationJob {
    tools: Tools,
}

impl Job for ChangeExplanationJob {
    const KIND: JobKind = JobKind::ChangeExplanation;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(explanation_job::give_up(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(explanation_job::give_up(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        explanation_job::run(context.domain(), self.tools.model.as_ref(), &claimed).await
    }
}
