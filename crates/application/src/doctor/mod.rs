//! Verifies the invariants of a live database. Each invariant about jobs, texts, credits, monitors, feeds and
//! libraries is a condition that no row may satisfy.
//!
//! Nothing is written. A table is walked along its key in windows, one statement each, so that neither memory
//! nor statement duration grows with the data, and the service continues to run. One statement sees one
//! consistent state: either all changes of a transaction or none.

mod check;
mod checks;
mod examine;
mod files;
mod violations;

#[cfg(test)]
mod tests;

pub use check::Check;
pub use checks::all as checks;
pub use examine::{Finding, examine};
