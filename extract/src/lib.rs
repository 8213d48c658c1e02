//! Sources to clean text: decode, gates, parse, candidates, blocks, metadata, quality.
//!
//! Beside it `watch`: what monitors look at, and what two looks differ in.
//!
//! Text work only. No input and no output but the pipes of the child processes in `sandbox`, where hostile pages are
//! read. Nothing here fails: what was found is returned, with warnings.

pub mod assemble;
pub mod charset;
pub mod clean;
mod document;
mod draft;
pub mod feed;
#[doc(hidden)]
pub mod fitting;
pub mod formats;
mod gates;
mod html;
mod join;
pub mod jsonl;
mod judge;
mod language;
mod markdown;
mod metadata;
mod pdf;
mod pipeline;
mod plain;
pub mod render;
pub mod sandbox;
pub mod search;
pub mod tokens;
pub mod watch;

pub use document::{
    Block, BlockKind, Category, Document, ExtractionSource, Found, Input, Leads, Link, ListPlace, Mark,
    Quality, Style, Warning,
};
pub use join::{continues, join};
pub use pipeline::extract;
