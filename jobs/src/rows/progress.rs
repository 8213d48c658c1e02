//! What only a worker can make, as a rule sees it: it is there, or a job makes it. The rule says who pays
//! and what the job's end means; the room above pushes the job and waits.

use super::{State, Submitted};
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Whole seconds after which it is worth asking again for what was not ready in time.
const RETRY_SECONDS: u32 = 5;

/// How far something is that was asked for.
#[must_use = "a job that is waited for is still to be pushed"]
#[derive(Debug)]
pub enum Progress<P: Pending> {
    /// It is there.
    Done(P::Answer),
    /// A job makes it.
    Waiting {
        /// The job: push it and wait for its end.
        job: Submitted,
        /// What turns the job's end into the answer.
        pending: P,
    },
}

/// How the wait for a job ended.
#[derive(Debug)]
pub enum WaitOutcome {
    /// The job is over, and this is its last state.
    Ended(State),
    /// The deadline came first; the job goes on.
    TimedOut,
    /// The job could not be pushed, or nobody can say what became of it.
    Failed(Error),
}

/// Something that was asked for and that a job makes.
pub trait Pending: Send {
    /// What the caller gets.
    type Answer: Send;

    /// The answer, now that the wait for the job is over.
    fn resume(
        self,
        domain: &Domain,
        outcome: WaitOutcome,
    ) -> impl Future<Output = Result<Self::Answer>> + Send;
}

/// The deadline came before the job's end.
pub fn timed_out(code: Code, message: &str) -> Error {
    Error::new(code, message).retry_after(RETRY_SECONDS)
}

/// The job ended and left nothing.
pub fn nothing_left() -> Error {
    Error::new(Code::ServiceUnavailable, "The page could not be read for a reason of our own.")
        .retry_after(RETRY_SECONDS)
}
