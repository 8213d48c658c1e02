//! Deletion of the files of a deleted account.

use articles::worker_tools::Tools;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Deletes the files of one account.
#[derive(Clone)]
pub struct AccountFiles;

impl AccountFiles {
    /// The job, which needs no tools.
    pub fn new(_tools: &Tools) -> Self {
        Self
    }
}

impl Job for AccountFiles {
    const KIND: JobKind = JobKind::AccountFiles;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        crate::files::delete_account_files(context.domain(), &claimed.key).await?;
        Ok(jobs::complete(context.domain(), &claimed).await?.into())
    }
}
