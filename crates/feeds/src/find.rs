//! Asking for the feeds of a site: those found a moment ago, or those that a discovery finds.

use super::discovery::{self, Discovered, FoundFeed};
use articles::{Address, Payer};
use identity::limits::AccountLimits;
use jobs::{Pending, Progress, WaitOutcome};
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Feeds that a discovery looks for.
#[derive(Debug)]
pub struct PendingFeeds(Address);

/// Asks for the feeds of the site at `address`. A search costs one fresh extraction, whatever it finds; what was
/// found a moment ago, and a search that somebody else has begun, cost nothing.
///
/// # Errors
/// The site's failure; `fresh_extraction_limit`; `capacity_exhausted`.
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
        "The site was not read in time. The search goes on; ask again in a moment.",
    )
}
