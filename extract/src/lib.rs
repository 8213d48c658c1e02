//! Extracts clean text from sources: decoding, limits, parsing, selection of the main part, blocks, metadata,
//! quality.
//!
//! `watch` observes sources for monitors and compares the observations.
//!
//! The crate only processes text. Its only input and output are the pipes of the child processes in
//! `sandbox`, which parse hostile input. Extraction does not fail: it returns the text that could be read,
//! with warnings.

pub mod assemble;
pub mod charset;
pub mod clean;
mod currencies;
pub mod delimited;
pub mod diff;
mod document;
mod draft;
pub mod epub;
pub mod feed;
#[doc(hidden)]
pub mod fitting;
pub mod formats;
mod html;
pub mod imports;
mod join;
mod jq;
pub mod jsonl;
mod language;
mod lexer;
mod limits;
mod markdown;
mod metadata;
pub mod monitor_lists;
mod noise;
mod page;
pub mod page_copy;
mod pdf;
pub mod picture;
mod pipeline;
mod plain;
mod quality;
mod raster;
mod received_mail;
pub mod render;
pub mod sandbox;
mod scripts;
pub mod search;
mod selected;
mod signature;
pub mod smaller_picture;
pub mod sniff;
mod tex;
mod text_hash;
mod text_parts;
pub mod tokens;
pub mod watch;
mod xpath;

pub use document::{
    Block, BlockKind, Category, Container, Document, ExtractionOutcome, ExtractionSource, Input, Link,
    ListItemPosition, Mark, NextLinks, NoteLink, Picture, Quality, Role, Style, Warning,
};
pub use formats::{MAIL_PICTURES, MailFields, MailFile};
pub use join::{continues, join};
pub use language::language_of;
pub use metadata::normal_date as written_date;
pub use pipeline::{UNTITLED, extract};
pub use received_mail::{MailFileContent, MailMessage};
pub use selected::extract_selected;
pub use text_parts::TextParts;
