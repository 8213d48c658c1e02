//! One run, in a worker: what is due is looked at, compared with what was seen before, and written down together with
//! what it costs, when it runs next, and the end of its job.

use super::commit::{Committed, FinishedRun, commit_run};
use super::due::MonitorRunArgs;
use super::fetch::{FetchOutcome, RunContext};
use super::look;
use super::result;
use crate::credits;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::jobs;
use crate::worker::Tools;

/// How often a look is weighed again when the monitor is changed meanwhile.
const WEIGHED: usize = 5;

/// Carries out the run that `claimed` asks for. The failure of a source is a result, not a failure of the
/// job.
///
/// # Errors
/// `Unavailable` and `Internal` when the result could not be written; the job is then tried again, and
/// nothing has been charged.
pub async fn run(domain: &Domain, tools: &Tools, claimed: &jobs::Claimed) -> Result<()> {
    let asked: MonitorRunArgs = claimed.arguments()?;
    let Some(mut context) = RunContext::load(domain, asked).await? else {
        return jobs::complete(domain, claimed).await;
    };
    let fetched =
        if can_pay(domain, &context).await? { context.fetch(tools).await? } else { FetchOutcome::Exhausted };
    let mut looked = look::look(domain, tools, &context, fetched).await?;
    for _ in 0..WEIGHED {
        let result = result::weigh(domain, &context, &looked).await?;
        let run = FinishedRun { claimed, context: &context, looked: &mut looked, result };
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
    let allowance = i64::from(context.plan.web_monitor_monthly_credits);
    let account_id = context.row.account_id;
    let standing = credits::balance(domain.db().read(), domain.now(), account_id, allowance).await?;
    Ok(standing.remaining() >= context.kind.cost())
}
