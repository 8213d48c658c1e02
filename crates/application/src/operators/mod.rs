//! What operators look at: kinds of jobs and how they keep up, what is deleted by age, servers that are left alone.
//! Everything is bounded: counts stop at a limit, and lists go page by page along a key.

mod accounts;
mod hosts;
mod kinds;

#[cfg(test)]
mod tests;

pub use accounts::{AccountUse, accounts, accounts_by_plan};
pub use hosts::{PausedHost, paused_hosts};
pub use kinds::{COUNTED, KindState, MINUTES, kinds};
