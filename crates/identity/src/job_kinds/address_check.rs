//! Check whether this service can be reached at its address from outside.

use crate::public_address;
use fetch::Fetcher;
use jobs::{Claimed, JobKind, JobOutcome};

use jobs::{Job, JobContext, JobError};

/// Requests the address of this service as an external server would.
#[derive(Clone)]
pub struct AddressCheck {
    fetcher: Fetcher,
}

impl Job for AddressCheck {
    const KIND: JobKind = JobKind::AddressCheck;
    type Tools = Fetcher;

    fn new(fetcher: &Fetcher) -> Self {
        Self { fetcher: fetcher.clone() }
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(public_address::run_check(context.domain(), &self.fetcher, &claimed).await?.into())
    }
}
