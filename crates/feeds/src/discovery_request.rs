//! Requests the feeds of a site: returns a cached result, or submits a discovery job.

use super::discovery::{self, Discovered, DiscoveryResult};
use articles::{Address, Payer};
use async_recursion::async_recursion as boxed;
use identity::limits::AccountLimits;
use jobs::{Pending, Progress, WaitOutcome};
use kernel::{Code, Domain, Error, Result};

/// Address whose discovery is in progress.
#[derive(Debug)]
pub struct PendingFeeds(Address);

/// Requests the feeds of the site at `address`. A new discovery costs one fresh extraction, whatever its
/// result. A cached result or joining a discovery in progress costs nothing.
///
/// # Errors
/// The failure of the site; `fresh_extraction_limit` if the account has no fresh extractions left;
/// `capacity_exhausted` if too many jobs are waiting.
#[boxed]
pub async fn request_discovery(
    domain: &Domain,
    payer: Payer,
    address: &Address,
) -> Result<Progress<PendingFeeds>> {
    if let Some(known) = discovery::cached_discovery(domain, address).await? {
        return Ok(Progress::Done(discovered(known)?));
    }
    let hold = domain.limits().reserve_extraction(domain, payer.account_id, payer.tier).await?;
    let submitted = discovery::submit_discovery(domain, payer.account_id, address).await;
    if !submitted.as_ref().is_ok_and(|job| !job.joined) {
        domain.limits().refund(hold).await;
    }
    let job = submitted?;
    Ok(Progress::Waiting { job, pending: PendingFeeds(address.clone()) })
}

impl Pending for PendingFeeds {
    type Answer = Discovered;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<Discovered> {
        match outcome {
            WaitOutcome::Ended(_) => match discovery::cached_discovery(domain, &self.0).await? {
                Some(known) => discovered(known),
                None => Err(still_running()),
            },
            WaitOutcome::TimedOut => Err(still_running()),
            WaitOutcome::Failed(error) => Err(error),
        }
    }
}

fn discovered(known: DiscoveryResult) -> Result<Discovered> {
    match known {
        DiscoveryResult::Discovered(discovered) => Ok(discovered),
        DiscoveryResult::Failed(failure) => Err(failure.into()),
    }
}

fn still_running() -> Error {
    jobs::timed_out(
        Code::ServiceUnavailable,
        "The site was not read in time. The search continues; try again in a moment.",
    )
}
