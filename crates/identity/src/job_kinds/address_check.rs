//! Check of the address of this service from outside.

use crate::public_address;
use fetch::Fetcher;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Requests the address of this service as a server elsewhere would.
#[derive(Clone)]
pub struct AddressCheck {
    fetcher: Fetcher,
}

impl AddressCheck {
    /// Creates the job for a worker that uses this fetcher.
    pub fn new(fetcher: &Fetcher) -> Self {
        Self { fetcher: fetcher.clone() }
    }
}

impl Job for AddressCheck {
    const KIND: JobKind = JobKind::AddressCheck;

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(public_address::run_check(context.domain(), &self.fetcher, &claimed).await?.into())
    }
}
