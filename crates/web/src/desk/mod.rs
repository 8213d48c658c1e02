//! The desk: the pages of a signed-in person. Today, feeds, library, and search. The pages call the domain
//! and display its results.
//!
//! Everything works without scripts. The only script of these pages adds keyboard shortcuts and tools for the words
//! that are selected in a text.

mod appearance;
mod browser_integration;
mod feeds;
mod frame;
mod import_progress;
mod library;
mod library_question;
mod listening;
mod meaning_link;
mod meaning_search;
mod offline;
mod offline_actions;
mod passages;
mod query_fault;
mod question_parts;
mod routes;
mod row_pictures;
mod saved_searches;
mod search;
mod today;
mod undo;
mod welcome;

pub(super) use browser_integration::{manifest, open_search};
pub(super) use routes::routes;
