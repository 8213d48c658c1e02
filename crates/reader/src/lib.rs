//! Public reader: returns the clean text of any public URL, without a credential. The rules are in the crate
//! `articles` and its module `reader`. This crate parses requests and formats responses.

mod answer;
mod batch;
mod body;
mod book;
mod cache;
mod described;
pub mod document;
mod endpoint;
mod fixture;
mod idempotent;
mod jobs;
mod limits;
pub mod negotiate;
mod operations;
mod page;
mod parameters;
mod params;
mod prefix;
mod quote_page;
mod read;
pub mod render;
mod sandbox;
mod schema;
mod service;
mod surface;
mod verify;

pub use endpoint::endpoint;
pub use params::ReadParams;
pub use service::{Pages, QuoteReport, ReadFailure, ReadingPage};
