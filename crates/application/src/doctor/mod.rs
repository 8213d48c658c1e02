//! Whether a live database holds what must always hold: every promise about jobs, texts, credits, monitors, feeds and
//! libraries as a condition that no row may meet.
//!
//! Nothing is written. A table is walked along its key in windows, each one statement, so that neither memory nor any
//! statement grows with what is stored, and the service goes on beside it. What one statement sees is one moment: rows
//! that change together are seen together.

mod check;
mod checks;
mod examine;

#[cfg(test)]
mod tests;

pub use check::Check;
pub use checks::all as checks;
pub use examine::{Finding, examine};
