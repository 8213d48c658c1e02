//! Job that deletes the files of a deleted account.

use articles::worker_tools::Tools;
use jobs::{Claimed, Job, JobContext, JobError, JobKind, JobOutcome};
use kernel::Millis;
use kernel::clock::MINUTE;

/// Delay after which the job is retried while a backup runs.
const HOLD_DELAY: Millis = MINUTE;

/// Deletes the files of one account.
#[derive(Clone)]
pub struct AccountFiles;

impl Job for AccountFiles {
    const KIND: JobKind = JobKind::AccountFiles;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        let domain = context.domain();
        if crate::files::is_hold_active(domain).await? {
            return Ok(jobs::snooze_in(domain.db().write(), domain, &claimed, HOLD_DELAY).await?);
        }
        crate::files::delete_account_files(domain, &claimed.key).await?;
        Ok(jobs::complete(domain, &claimed).await?.into())
    }
}
