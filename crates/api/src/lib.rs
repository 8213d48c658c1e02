//! Developer API. Each operation parses its input, makes one domain call, and formats the response; shared
//! handling is in `surface`.

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
mod inbox;
mod library;
pub mod monitors;
mod operations;
mod path_id;
mod render_choice;
mod rss;
mod surface;
mod tag;
mod teams;

pub use endpoint::endpoint;
pub use files::FileHeaders;
