//! The desk: what a person has after signing in. Today, feeds, library and search; each page asks the rules and shows
//! what they say.
//!
//! Everything works without scripts. The one script of these pages adds keys and highlighting by selection.

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
