//! Requests the feeds of a site: a cached result, or a discovery job.

use super::discovery::{self, Discovered, FoundFeed};
use articles::{Address, Payer};
use identity::limits::AccountLimits;
use jobs::{Pending, Progress, WaitOutcome};
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Feeds of a discovery in progress.
#[derive(Debug)]
pub struct PendingFeeds(Address);

/// Requests the feeds of the site at `address`. A new discovery costs one fresh extraction, whatever its
/// result. A cached result and a discovery that is already in progress are free.
///
/// # Errors
/// The failure of the site; `fresh_extraction_limit`; `capacity_exhausted`.
pub async fn request_discovery(
    domain: &Domain,
    payer: Payer,
    address: &Address,
) -> Result<Progress<PendingFeeds>> {
    if let Some(known) = discovery::known_discovery(domain, address).await? {
        return Ok(Progress::Done(answer(known)?));
    }
    let hold = domain.limits().reserve_extraction(domain, payer.account_id, payer.tier).await?;
    let submitted = discovery::submit_discovery(domain, address).await;
    if !submitted.as_ref().is_ok_and(|job| !job.joined) {
        domain.limits().release(hold).await;
    }
    let job = submitted?;
    Ok(Progress::Waiting { job, pending: PendingFeeds(address.clone()) })
}

impl Pending for PendingFeeds {
    type Answer = Vec<FoundFeed>;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<Vec<FoundFeed>> {
        match outcome {
            WaitOutcome::Ended(_) => match discovery::known_discovery(domain, &self.0).await? {
                Some(known) => answer(known),
                None => Err(late()),
            },
            WaitOutcome::TimedOut => Err(late()),
            WaitOutcome::Failed(error) => Err(error),
        }
    }
}

fn answer(known: Discovered) -> Result<Vec<FoundFeed>> {
    match known {
        Discovered::Feeds(feeds) => Ok(feeds),
        Discovered::Failed(failure) => Err(failure.into()),
    }
}

fn late() -> Error {
    jobs::timed_out(
        Code::ServiceUnavailable,
        "The site was not read in time. The search continues; try again in a moment.",
    )
}
