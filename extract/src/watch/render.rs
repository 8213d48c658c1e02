//! Renders comparisons: summary, title, markup for feed readers, and rows for a two-column page.
//!
//! All functions read stored operations. Texts of the source are untrusted and are never interpreted as
//! markup.

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
