//! What an account leaves in the store of files goes after it.

use domain::jobs::{Claimed, JobKind, JobOutcome};
use domain::{jobs, library};

use crate::handler::{Job, JobContext, JobError};

/// Deletes the files of one account.
#[derive(Clone)]
pub(super) struct AccountFiles;

impl Job for AccountFiles {
    const KIND: JobKind = JobKind::AccountFiles;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        library::files::forget_account(context.domain(), &claimed.key).await?;
        Ok(jobs::complete(context.domain(), &claimed).await?.into())
    }
}
