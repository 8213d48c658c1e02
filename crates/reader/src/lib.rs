//! The public reader: any public URL in, clean text out, without a credential. All of it stands on the
//! domain's articles and reader rules; this room parses requests and builds responses.

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
mod quoting;
mod read;
pub mod render;
mod sandbox;
mod schema;
mod service;
mod surface;
mod verify;

pub use endpoint::endpoint;
pub use params::ReadParams;
pub use service::{Failure, Pages, QuoteReport};
