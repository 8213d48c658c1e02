//! Executes one run, alone or as part of a batch: observes its source, evaluates the content, and commits the
//! result.

use super::commit::{Committed, FinishedRun, commit_run};
use super::fetch::{FetchOutcome, RunContext};
use super::observation::{self, SourceObservation};
use super::result;
use articles::worker_tools::Tools;
use jobs::Claimed;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Maximum number of evaluations of one observation, if the monitor keeps changing meanwhile.
const MAX_EVALUATIONS: usize = 5;

/// Fetches and observes the source of a run, if the run can be paid for.
///
/// # Errors
/// `Unavailable` and `Internal` if the fault is our own.
pub(super) async fn fetch_and_observe(
    domain: &Domain,
    tools: &Tools,
    context: &RunContext,
    can_pay: bool,
) -> Result<SourceObservation> {
    let fetched = if can_pay { context.fetch(tools).await? } else { FetchOutcome::Exhausted };
    observation::observe(domain, tools, context, fetched).await
}

/// Evaluates an observation and commits the result. Completes the job `claimed` if it ends with this run.
///
/// # Errors
/// If this fails, nothing has been charged.
pub(super) async fn evaluate_and_commit(
    domain: &Domain,
    claimed: Option<&Claimed>,
    mut context: RunContext,
    observation: &SourceObservation,
) -> Result<()> {
    for _ in 0..MAX_EVALUATIONS {
        let result = result::evaluate_observation(domain, &context, observation).await?;
        let run = FinishedRun { claimed, context: &context, observation, result };
        match commit_run(domain, run).await? {
            Committed::Written(_) => return Ok(()),
            // The monitor changed since the evaluation.
            Committed::Conflict(row) => context = context.with_row(*row)?,
        }
    }
    Err(Error::internal("monitor kept changing while its run was committed"))
}
