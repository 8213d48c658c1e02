//! Permits that bound concurrent work: a semaphore with priorities, a limit and a semaphore per key, and a
//! budget of memory.

mod fair_semaphore;
mod keyed_limit;
mod keyed_semaphore;
mod memory_budget;

pub use fair_semaphore::{FairPermit, FairSemaphore, Pace};
pub use keyed_limit::{KeyedLimit, KeyedPermit};
pub use keyed_semaphore::KeyedSemaphore;
pub use memory_budget::{MemoryBudget, MemoryPermit};
