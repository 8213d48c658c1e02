//! The desk: the pages of a signed-in person. Today, feeds, library, and search. The pages call the domain
//! and display its answers.
//!
//! Everything works without scripts. The only script of these pages adds keyboard shortcuts and highlighting
//! by selection.

mod feeds;
mod frame;
mod importing;
mod library;
mod look;
mod open;
mod routes;
mod search;
mod today;
mod upload;

pub(super) use open::{manifest, open_search};
pub(super) use routes::routes;
