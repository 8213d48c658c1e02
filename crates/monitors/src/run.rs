//! Job handler for runs of monitors. It observes the due monitors, compares their content with the content at
//! previous checks, and commits the result with its charge, the next run time, and the completion of the job.

use super::args::RunJobArgs;
use super::batch;
use super::run_single::run_single;
use articles::worker_tools::Tools;
use async_recursion::async_recursion as boxed;
use jobs::{Claimed, Submitted};
use kernel::{Domain, Result};

/// Executes the runs of a claimed job: a single run or a batch. Returns the jobs of runs that still must be
/// executed; the caller pushes them. A failure of a source is a result. It does not fail the job.
///
/// # Errors
/// Returns an error if a result cannot be committed. In that case, the job is retried, and nothing was
/// charged for that result.
#[boxed]
pub async fn run(domain: &Domain, tools: &Tools, claimed: &Claimed) -> Result<Vec<Submitted>> {
    match claimed.arguments()? {
        RunJobArgs::Batch(args) => Box::pin(batch::run_batch(domain, tools, claimed, args)).await,
        RunJobArgs::Single(args) => Box::pin(run_single(domain, tools, claimed, args)).await,
    }
}
