//! Hold on deletions for a running backup. It is renewed until it is released, so that no file is deleted
//! meanwhile.

use std::time::Duration;

use anyhow::Context;
use kernel::clock::MINUTE;
use kernel::{Domain, Millis};
use library::files;
use tokio::task::JoinHandle;
use uuid::Uuid;

/// Lifetime of a hold that is not renewed.
const LIFETIME: Millis = 10 * MINUTE;
/// Interval between renewals.
const RENEWAL: Duration = Duration::from_mins(1);
/// Number of consecutive failed renewals after which the hold may have expired.
const MAX_FAILURES: u32 = 8;

/// Hold that a background task renews.
pub(super) struct DeletionHold {
    domain: Domain,
    id: Uuid,
    renewals: JoinHandle<kernel::Error>,
}

impl DeletionHold {
    pub(super) async fn start(domain: &Domain) -> anyhow::Result<Self> {
        let id: Uuid = domain.new_id();
        files::hold_deletions(domain, id, LIFETIME).await?;
        let renewals = tokio::spawn(renew(domain.clone(), id));
        Ok(Self { domain: domain.clone(), id, renewals })
    }

    /// Releases the hold.
    ///
    /// # Errors
    /// If the hold may have expired earlier, so that files may be missing from the backup.
    pub(super) async fn release(self) -> anyhow::Result<()> {
        if self.renewals.is_finished() {
            let error = self.renewals.await?;
            return Err(error).context("deletions of files could not be prevented during the backup");
        }
        self.renewals.abort();
        files::release_hold(&self.domain, self.id).await?;
        Ok(())
    }
}

/// Renews the hold until too many renewals in a row fail. Returns the last error.
async fn renew(domain: Domain, id: Uuid) -> kernel::Error {
    let mut interval = tokio::time::interval(RENEWAL);
    let mut failures = 0;
    loop {
        interval.tick().await;
        match files::hold_deletions(&domain, id, LIFETIME).await {
            Ok(()) => failures = 0,
            Err(error) if failures + 1 >= MAX_FAILURES => return error,
            Err(_) => failures += 1,
        }
    }
}
