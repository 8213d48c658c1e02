//! Bounds on work: a semaphore with priorities; a limit, a semaphore, and a byte rate per key; and a memory
//! budget.

mod byte_rate;
mod fair_semaphore;
mod keyed_limit;
mod keyed_semaphore;
mod memory_budget;

pub use byte_rate::KeyedByteRate;
pub use fair_semaphore::{FairPermit, FairSemaphore, Pace};
pub use keyed_limit::{KeyedLimit, KeyedPermit};
pub use keyed_semaphore::KeyedSemaphore;
pub use memory_budget::{MemoryBudget, MemoryPermit};
