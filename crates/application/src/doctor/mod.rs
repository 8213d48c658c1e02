//! Verifies the invariants of a live database. Each invariant about jobs, texts, credits, monitors, feeds,
//! and libraries is a condition that no row may satisfy.
//!
//! The checks write nothing. A table is read in windows along its key, one statement per window, so that
//! neither memory nor the duration of a statement grows with the data, and the service keeps running. Each
//! statement sees a consistent state: either all changes of a transaction or none.

mod check;
mod checks;
mod examine;
mod files;
mod screenshots;
mod violations;

#[cfg(test)]
mod tests;

pub use check::Check;
pub use checks::all as checks;
pub use examine::{Finding, examine};
