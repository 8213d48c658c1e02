//! Job handler for runs of monitors. It observes the due monitors, compares their content with that of
//! previous checks, and commits the result with its charge, the next run time, and the completion of the job.

use super::args::RunJobArgs;
use super::batch;
use super::run_single::run_single;
use articles::worker_tools::Tools;
use async_recursion::async_recursion as boxed;
use jobs::{Claimed, Submitted};
use kernel::{Domain, Result};

/// Executes the runs of a claimed job: a single run or a batch. Returns the jobs of runs that are still to be
/// executed; the caller pushes them. If a source fails, that is a result, and the job does not fail.
///
/// # Errors
/// If a result could not be committed, the job is retried, and nothing has been charged for that result.
#[boxed]
pub async fn run(domain: &Domain, tools: &Tools, claimed: &Claimed) -> Result<Vec<Submitted>> {
    match claimed.arguments()? {
        RunJobArgs::Batch(args) => Box::pin(batch::run_batch(domain, tools, claimed, args)).await,
        RunJobArgs::Single(args) => {
            Box::pin(run_single(domain, tools, claimed, args)).await.map(|()| Vec::new())
        }
    }
}
