//! Job handler for runs of monitors: observes what is due, compares it with previous checks, and commits the
//! result with its charge, the next run time, and the completion of the job.

use super::args::RunJobArgs;
use super::batch;
use super::run_single::run_single;
use articles::worker_tools::Tools;
use async_recursion::async_recursion as boxed;
use jobs::{Claimed, Submitted};
use kernel::{Domain, Result};

/// Executes the runs of a claimed job, one or a batch, and returns the jobs of the runs that it leaves, to be
/// pushed. A failing source is a result, not a failure of the job.
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
