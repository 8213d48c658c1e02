//! Asking for a preview, which counts among the account's fresh extractions when a body was downloaded.

use entities::ids::AccountId;

use super::Definition;
use super::preview::{self, Preview, PreviewOutcome};
use crate::articles::{Address, Payer};
use crate::clock::Millis;
use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::jobs::{self, Pending, Progress, WaitOutcome};
use crate::limits::Reservation;
use crate::limits::window::RateState;

/// A preview that a job makes.
pub struct PendingPreview {
    account_id: AccountId,
    key: String,
    asked_at: Millis,
    hold: Reservation,
}

/// Asks for what a monitor would look at, found by one download. The answer tells where the payer stands
/// with fresh extractions, too.
///
/// # Errors
/// `invalid_request`; `fresh_extraction_limit`; `capacity_exhausted`.
pub async fn request_preview(
    domain: &Domain,
    payer: Payer,
    address: &Address,
    definition: &Definition,
) -> Result<Progress<PendingPreview>> {
    let (account_id, asked_at) = (payer.account_id, domain.now());
    let hold = domain.limits().reserve_extraction(domain, account_id, payer.tier).await?;
    match preview::submit_preview(domain, account_id, address, definition).await {
        Ok((key, job)) => {
            let pending = PendingPreview { account_id, key, asked_at, hold };
            Ok(Progress::Waiting { job, pending })
        }
        Err(error) => {
            domain.limits().release(hold).await;
            Err(error)
        }
    }
}

impl Pending for PendingPreview {
    type Answer = (Preview, Vec<RateState>);

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<Self::Answer> {
        let error = match outcome {
            WaitOutcome::Ended(_) => {
                match preview::find_preview(domain, self.account_id, &self.key, self.asked_at).await? {
                    Some(PreviewOutcome::Found(preview)) => {
                        return Ok((*preview, self.hold.states().to_vec()));
                    }
                    Some(PreviewOutcome::Failed { failure, downloaded: true }) => return Err(failure.into()),
                    Some(PreviewOutcome::Failed { failure, downloaded: false }) => failure.into(),
                    None => late(),
                }
            }
            // The job goes on, and with it the download.
            WaitOutcome::TimedOut => return Err(late()),
            WaitOutcome::Failed(error) => error,
        };
        domain.limits().release(self.hold).await;
        Err(error)
    }
}

fn late() -> Error {
    jobs::timed_out(Code::ServiceUnavailable, "The source was not read in time. Ask again in a moment.")
}
