//! Rules of the public reader: block selection, asynchronous read jobs, idempotent responses, and quote
//! checks.

mod cursor;
pub mod idempotency;
pub mod jobs;
pub mod quotes;
mod selection;
#[cfg(test)]
mod tests;

pub use cursor::{Bookmark, CURSOR_BINDING};
pub use selection::{Lines, Pick, Selection, Selector, select};
