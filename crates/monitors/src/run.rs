//! Job handler for runs of monitors: observes what is due, compares it with previous checks, and commits the
//! result with its charge, the next run time, and the completion of the job.

use super::args::{MonitorRunArgs, RunJobArgs};
use super::batch;
use super::fetch::RunContext;
use super::run_single::{evaluate_and_commit, fetch_and_observe};
use articles::worker_tools::Tools;
use jobs::{Claimed, Submitted};
use kernel::error::Result;
use kernel::handle::Domain;

/// Executes the runs of a claimed job, one or a batch, and returns the jobs of the runs that it leaves, to be
/// pushed. A failing source is a result, not a failure of the job.
///
/// # Errors
/// If a result could not be committed, the job is retried, and nothing has been charged for that result.
pub async fn run(domain: &Domain, tools: &Tools, claimed: &Claimed) -> Result<Vec<Submitted>> {
    match claimed.arguments()? {
        RunJobArgs::Batch(args) => Box::pin(batch::run_batch(domain, tools, claimed, args)).await,
        RunJobArgs::Single(args) => {
            Box::pin(run_one(domain, tools, claimed, args)).await.map(|()| Vec::new())
        }
    }
}

async fn run_one(domain: &Domain, tools: &Tools, claimed: &Claimed, args: MonitorRunArgs) -> Result<()> {
    let Some((context, balance)) = RunContext::load(domain, args).await? else {
        return jobs::complete(domain, claimed).await;
    };
    // Decided before any request is sent to the source.
    let can_pay = balance.remaining() >= context.kind.cost();
    let observation = fetch_and_observe(domain, tools, &context, can_pay).await?;
    evaluate_and_commit(domain, Some(claimed), context, &observation).await
}
