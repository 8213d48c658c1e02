//! A run whose workers were lost one after the other. It counts as a failure of what was looked at: the monitor backs
//! off and in the end is given up, instead of taking further workers down each time it is due again.

use super::asked::Asked;
use super::commit::commit_dead_run;
use super::fetch::RunContext;
use super::outcome::RunError;
use jobs::DeadJob;
use kernel::code::Code;
use kernel::error::Result;
use kernel::handle::Domain;

/// Writes down that the run of `job` came to nothing. It costs no credit.
///
/// # Errors
/// `Unavailable` and `Internal` when that cannot be written; the monitor is due again then.
pub async fn give_up_run(domain: &Domain, job: &DeadJob) -> Result<()> {
    let asked = match job.arguments()? {
        Asked::One(asked) => asked,
        // Never split: what its workers were lost over is not known, and any of its monitors may be innocent.
        Asked::Batch(_) => return Ok(()),
    };
    let Some((context, _)) = RunContext::load(domain, asked).await? else { return Ok(()) };
    commit_dead_run(domain, &context, RunError::unusable(Code::UnsupportedContent)).await
}
