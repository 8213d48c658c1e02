//! Rules of the public reader: block selection, asynchronous read jobs, idempotent responses, and quote
//! checks.

mod cursor;
pub mod idempotency;
pub mod quotes;
pub mod read_jobs;
mod rendering_allowance;
mod selection;
#[cfg(test)]
mod tests;

pub use cursor::{Bookmark, CURSOR_BINDING};
pub use rendering_allowance::charge_rendering;
pub use selection::{Lines, SelectedBlock, TextSelection, TextSelector, select};
