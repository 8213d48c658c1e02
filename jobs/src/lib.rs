//! The engine: what can be asked for later. Rows written by `domain::jobs` are the truth; this room
//! carries their ids to workers, runs handlers under a lease, and tells waiting callers of the end.
//! It holds no rule about the product.

mod activity;
pub mod cleanup;
mod completion;
mod drawn;
mod duration;
mod engine;
mod handler;
mod heartbeat;
mod here;
mod kind_limits;
mod kinds;
mod leadership;
mod metric;
mod owner;
mod patience;
mod run;
pub mod scheduler;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod trace;
mod transport;
mod worker;

pub use completion::JobEnd;
pub use engine::{ConnectError, Engine, EngineSettings};
pub use handler::{Handler, Handlers, Job, JobContext, JobError};
pub use kinds::handlers;
pub use worker::{WorkerSettings, Workers};
