//! One run, alone or in a batch: the look at its source, and what it comes to.

use super::commit::{Committed, FinishedRun, commit_run};
use super::fetch::{FetchOutcome, RunContext};
use super::look::{self, Looked};
use super::result;
use articles::worker::Tools;
use jobs::Claimed;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// How often a look is weighed again when the monitor is changed meanwhile.
const WEIGHED: usize = 5;

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
    looked: &Looked,
) -> Result<()> {
    for _ in 0..WEIGHED {
        let result = result::weigh(domain, &context, looked).await?;
        let run = FinishedRun { claimed, context: &context, looked, result };
        match commit_run(domain, run).await? {
            Committed::Written(_) => return Ok(()),
            // Another hand moved what it was weighed against.
            Committed::Apart(row) => context = context.on(*row)?,
        }
    }
    Err(Error::internal("a monitor was changed again and again while its run was written"))
}
