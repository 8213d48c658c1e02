//! Executes one run, alone or as part of a batch: observes its source, evaluates the content, and commits the
//! result.

use super::commit::{Committed, FinishedRun, commit_run};
use super::fetch::{FetchOutcome, RunContext};
use super::look::{self, Looked};
use super::result;
use articles::worker::Tools;
use jobs::Claimed;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Maximum number of evaluations of one observation, if the monitor keeps changing meanwhile.
const WEIGHED: usize = 5;

/// Fetches and observes the source of a run, if the run can be paid for.
///
/// # Errors
/// `Unavailable` and `Internal` if the fault is our own.
pub(super) async fn look(
    domain: &Domain,
    tools: &Tools,
    context: &RunContext,
    can_pay: bool,
) -> Result<Looked> {
    let fetched = if can_pay { context.fetch(tools).await? } else { FetchOutcome::Exhausted };
    look::look(domain, tools, context, fetched).await
}

/// Evaluates an observation and commits the result. Completes the job `claimed` if it ends with this run.
///
/// # Errors
/// If this fails, nothing has been charged.
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
            // The monitor changed since the evaluation.
            Committed::Apart(row) => context = context.on(*row)?,
        }
    }
    Err(Error::internal("monitor kept changing while its run was committed"))
}
