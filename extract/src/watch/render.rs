//! Renders comparisons: summary, title, markup for feed readers, and rows for a two-column page.
//!
//! All functions work on stored operations. Text of the source is untrusted and never interpreted as markup.

mod context;
mod html;
mod pieces;
mod sentence;
mod sides;

pub use self::{
    context::{ContextLine, in_context},
    html::html,
    pieces::{Piece, Side, pieces},
    sentence::{describe, shortened_title, summary, title},
    sides::{Row, row},
};

#[cfg(test)]
mod tests;
