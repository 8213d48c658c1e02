//! Runs, in a worker: what is due is looked at, compared with what was seen before, and written down together with
//! what it costs, when it runs next, and the end of its job.

use super::batch::{self, Asked};
use super::commit::{Committed, FinishedRun, commit_run};
use super::due::MonitorRunArgs;
use super::fetch::{FetchOutcome, RunContext};
use super::look::{self, Looked};
use super::result;
use crate::credits;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::jobs::{self, Claimed, Submitted};
use crate::worker::Tools;

/// How often a look is weighed again when the monitor is changed meanwhile.
const WEIGHED: usize = 5;

/// Carries out the runs that `claimed` asks for, one or a batch; tells the jobs of runs that are left, to be pushed. The
/// failure of a source is a result, not a failure of the job.
///
/// # Errors
/// `Unavailable` and `Internal` when a result could not be written; the job is then tried again, and nothing has been
/// charged for that result.
pub async fn run(domain: &Domain, tools: &Tools, claimed: &Claimed) -> Result<Vec<Submitted>> {
    match claimed.arguments()? {
        Asked::Batch(asked) => batch::run_batch(domain, tools, claimed, asked).await,
        Asked::One(asked) => run_one(domain, tools, claimed, asked).await.map(|()| Vec::new()),
    }
}

async fn run_one(domain: &Domain, tools: &Tools, claimed: &Claimed, asked: MonitorRunArgs) -> Result<()> {
    let Some(context) = RunContext::load(domain, asked).await? else {
        return jobs::complete(domain, claimed).await;
    };
    let can_pay = can_pay(domain, &context).await?;
    let mut looked = look(domain, tools, &context, can_pay).await?;
    weigh_and_commit(domain, Some(claimed), context, &mut looked).await
}

/// Looks at the source of a run that can be paid for.
///
/// # Errors
/// `Unavailable` and `Internal` when the fault is our own.
pub(super) async fn look(
    domain: &Domain,
    tools: &Tools,
    context: &RunContext,
    can_pay: bool,
) -> Result<Looked> {
    let fetched = if can_pay { context.fetch(tools).await? } else { FetchOutcome::Exhausted };
    look::look(domain, tools, context, fetched).await
}

/// Weighs what was seen and writes what it comes to, and the end of the job `claimed`, if it ends with this run.
///
/// # Errors
/// `Unavailable` and `Internal` when it could not be written; nothing has been charged then.
pub(super) async fn weigh_and_commit(
    domain: &Domain,
    claimed: Option<&Claimed>,
    mut context: RunContext,
    looked: &mut Looked,
) -> Result<()> {
    for _ in 0..WEIGHED {
        let result = result::weigh(domain, &context, looked).await?;
        let run = FinishedRun { claimed, context: &context, looked: &mut *looked, result };
        match commit_run(domain, run).await? {
            Committed::Written => return Ok(()),
            // Another hand moved what it was weighed against.
            Committed::Moved(row) => context = context.on(*row)?,
        }
    }
    Err(Error::internal("a monitor was changed again and again while its run was written"))
}

/// Whether a run could be paid for, before anything is asked of the source.
async fn can_pay(domain: &Domain, context: &RunContext) -> Result<bool> {
    let (account_id, allowance) = (context.row.account_id, context.allowance());
    let balance = credits::balance(domain.db().read(), domain.now(), account_id, allowance).await?;
    Ok(balance.remaining() >= context.kind.cost())
}
