//! Views for operators: job kinds and their status, deletions by age, and paused hosts. Everything is
//! bounded: counts stop at a limit, and lists are paged along a key.

mod accounts;
mod hosts;
mod kinds;

#[cfg(test)]
mod tests;

pub use accounts::{AccountUse, accounts, accounts_by_plan};
pub use hosts::{PausedHost, paused_hosts};
pub use kinds::{COUNTED, KindState, MINUTES, kinds};
