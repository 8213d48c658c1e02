//! The job engine: job rows, submission, transports, workers, and the scheduler.
//!
//! The row is the source of truth about a job; a transport only carries its id to a worker. A worker claims
//! the row, runs the kind's [`Job`] under a lease, and the effect is written in the transaction that
//! completes the row. The engine knows the names and rules of kinds, and nothing else about the product.

mod claim;
pub mod cleanup;
mod cleanup_runs;
mod completion;
mod completion_counts;
pub mod due;
mod duration;
mod engine;
mod handler;
mod heartbeat;
pub mod hosts;
mod kind_limits;
mod leadership;
pub mod metric;
mod retry;
mod rows;
mod run_inline;
mod runner;
pub mod scheduler;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod trace;
mod transport;
mod worker;
mod worker_id;

pub use cleanup_runs::{CleanupRun, cleanup_runs, record_cleanup_run};
pub use completion::JobCompletion;
pub use engine::{Engine, EngineSettings, EngineSetupError};
pub use handler::{
    ClaimDue, DueSource, Handler, Handlers, Hooks, Job, JobContext, JobError, KindHooks, RegisteredKind,
};
pub use rows::*;
pub use worker::{WorkerSettings, Workers};
