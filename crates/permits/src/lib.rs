//! Permits that bound concurrent work: a semaphore with priorities, and a limit per key.

mod fair_semaphore;
mod keyed_limit;

pub use fair_semaphore::{FairPermit, FairSemaphore, Pace};
pub use keyed_limit::{KeyedLimit, KeyedPermit};
