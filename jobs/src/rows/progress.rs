//! Results that only a worker can produce: they are either available already, or a job produces them. The
//! capability decides who pays and converts the completion of the job to a result. The surface pushes the job
//! and waits.

use entities::job::JobState;

use super::submit::Submitted;
use kernel::{Code, Domain, Error, Result};

/// `Retry-After` for a result that was not ready in time, in seconds.
const RETRY_SECONDS: u32 = 5;

/// State of a requested result.
#[must_use = "the job must be pushed and waited for"]
#[derive(Debug)]
pub enum Progress<P: Pending> {
    /// The result is available.
    Done(P::Answer),
    /// A job produces the result.
    Waiting {
        /// The job to push and wait for.
        job: Submitted,
        /// Converts the completion of the job to the result.
        pending: P,
    },
}

/// Outcome of the wait for a job.
#[derive(Debug)]
pub enum WaitOutcome {
    /// The job reached this final state.
    Ended(JobState),
    /// The deadline passed; the job continues.
    TimedOut,
    /// The job could not be pushed, or its state is unknown.
    Failed(Error),
}

/// A requested result that a job produces.
pub trait Pending: Send {
    type Answer: Send;

    /// Returns the result after the wait for the job has ended.
    fn resume(
        self,
        domain: &Domain,
        outcome: WaitOutcome,
    ) -> impl Future<Output = Result<Self::Answer>> + Send;
}

/// Returns the error for a deadline that passed before the job ended.
pub fn timed_out(code: Code, message: &str) -> Error {
    Error::new(code, message).retry_after(RETRY_SECONDS)
}

/// Returns the error for a job that ended without a result.
pub fn no_result() -> Error {
    Error::new(
        Code::ServiceUnavailable,
        "The page could not be read because of an internal error. Try again later.",
    )
    .retry_after(RETRY_SECONDS)
}
