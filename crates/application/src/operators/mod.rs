//! Views for operators: job kinds and their status, deletions by age, and paused hosts. Everything is
//! bounded: counts stop at a limit, and lists are paged along a key.

mod accounts;
mod job_kinds;
mod paused_hosts;

#[cfg(test)]
mod tests;

pub use accounts::{AccountUsage, accounts, accounts_by_plan};
pub use job_kinds::{KindState, MAX_COUNT, MINUTES, kinds};
pub use paused_hosts::{PausedHost, paused_hosts};
