//! The Developer API: accounts' operations over the domain's rules. Each operation takes its input apart,
//! makes one domain call and builds the answer; what all have in common stands in `surface`.

mod account;
mod answers;
mod articles;
pub mod authorize;
mod body;
mod channels;
mod cursor;
pub mod document;
mod endpoint;
pub mod error;
mod feeds;
mod files;
mod library;
pub mod monitors;
mod operations;
mod rss;
mod surface;
mod tag;

pub use endpoint::endpoint;
pub use files::Label;
