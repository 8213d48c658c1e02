//! Handles a dead run, whose execution crashed several workers. It is treated as a failure of the source. As
//! a result, the monitor backs off and is finally given up, instead of crashing a worker each time it is due.

use super::args::RunJobArgs;
use super::commit::commit_dead_run;
use super::fetch::RunContext;
use super::outcome::RunError;
use async_recursion::async_recursion as boxed;
use jobs::DeadJob;
use kernel::{Code, Domain, Result};

/// Commits the run of the dead `job` as failed. The run costs no credits.
///
/// # Errors
/// Returns an error if the transaction fails. In that case, the monitor becomes due again.
#[boxed]
pub async fn give_up_run(domain: &Domain, job: &DeadJob) -> Result<()> {
    let args = match job.arguments()? {
        RunJobArgs::Single(args) => args,
        // It is unknown which monitor of a batch crashed the workers, so a dead batch is not treated as a
        // failure of its monitors.
        RunJobArgs::Batch(_) => return Ok(()),
    };
    let Some(context) = RunContext::load(domain, args).await? else { return Ok(()) };
    commit_dead_run(domain, &context, RunError::unusable(Code::UnsupportedContent)).await
}
