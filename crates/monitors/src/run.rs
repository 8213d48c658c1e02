//! Runs, in a worker: what is due is looked at, compared with what was seen before, and written down together with
//! what it costs, when it runs next, and the end of its job.

use super::asked::{Asked, MonitorRunArgs};
use super::batch;
use super::fetch::RunContext;
use super::one::{look, weigh_and_commit};
use articles::worker::Tools;
use jobs::{Claimed, Submitted};
use kernel::error::Result;
use kernel::handle::Domain;

/// Carries out the runs that `claimed` asks for, one or a batch; tells the jobs of runs that are left, to be pushed. The
/// failure of a source is a result, not a failure of the job.
///
/// # Errors
/// `Unavailable` and `Internal` when a result could not be written; the job is then tried again, and nothing has been
/// charged for that result.
pub async fn run(domain: &Domain, tools: &Tools, claimed: &Claimed) -> Result<Vec<Submitted>> {
    match claimed.arguments()? {
        Asked::Batch(asked) => Box::pin(batch::run_batch(domain, tools, claimed, asked)).await,
        Asked::One(asked) => Box::pin(run_one(domain, tools, claimed, asked)).await.map(|()| Vec::new()),
    }
}

async fn run_one(domain: &Domain, tools: &Tools, claimed: &Claimed, asked: MonitorRunArgs) -> Result<()> {
    let Some((context, balance)) = RunContext::load(domain, asked).await? else {
        return jobs::complete(domain, claimed).await;
    };
    // Whether it could be paid for, before anything is asked of the source.
    let can_pay = balance.remaining() >= context.kind.cost();
    let looked = look(domain, tools, &context, can_pay).await?;
    weigh_and_commit(domain, Some(claimed), context, &looked).await
}
