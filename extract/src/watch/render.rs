//! How a comparison is told: a sentence, a title, markup for feed readers, and rows for a page with two sides.
//!
//! Everything here works on stored operations; nothing of the source is trusted, and nothing of it is ever markup.

mod context;
mod html;
mod pieces;
mod sentence;
mod sides;

pub use self::{
    context::{Line, in_context},
    html::html,
    pieces::{Piece, Side, pieces},
    sentence::{summary, title},
    sides::{Row, row},
};

#[cfg(test)]
mod tests;
