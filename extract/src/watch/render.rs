//! Renders comparisons: summary, title, markup for feed readers, and rows for a two-column page.
//!
//! All functions take the stored diff operations. Texts of the source are untrusted and are never interpreted
//! as markup.

mod context;
mod html;
mod segments;
mod sentence;
mod sides;

pub use self::{
    context::{ContextLine, in_context},
    html::html,
    segments::{DiffSegment, Side, segments},
    sentence::{describe, shortened_title, summary, title},
    sides::{ComparisonRow, row},
};

#[cfg(test)]
mod tests;
