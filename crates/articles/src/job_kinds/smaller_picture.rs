//! Creation of a smaller version of a picture for a page that is being viewed.

use crate::pictures;
use crate::worker_tools::Tools;
use futures_util::future::BoxFuture;
use jobs::{Claimed, DeadJob, JobKind, JobOutcome};
use kernel::Domain;

use jobs::{Job, JobContext, JobError};

/// Creates a smaller version of a picture.
#[derive(Clone)]
pub struct SmallerPictureJob {
    tools: Tools,
}

impl Job for SmallerPictureJob {
    const KIND: JobKind = JobKind::SmallerPicture;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn on_dead<'a>(domain: &'a Domain, job: &'a DeadJob) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(pictures::give_up(domain, &job.key))
    }

    fn on_failure<'a>(domain: &'a Domain, key: &'a str) -> BoxFuture<'a, kernel::Result<()>> {
        Box::pin(pictures::give_up(domain, key))
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(pictures::fetch_picture(context.domain(), &self.tools, &claimed).await?.into())
    }
}
