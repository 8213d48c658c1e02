//! Views for operators: the status of job kinds, cleanups, and paused hosts. All results are bounded: counts
//! stop at a limit, and lists are paged by key.

mod accounts;
mod job_kinds;
mod paused_hosts;

#[cfg(test)]
mod tests;

pub use accounts::{AccountUsage, accounts, accounts_by_plan};
pub use job_kinds::{KindState, MAX_COUNT, MINUTES, kinds};
pub use paused_hosts::{PausedHost, paused_hosts};
