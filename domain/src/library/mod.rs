//! The private library: what a person keeps to read, found again by its keys, in order and without losing a change.
//!
//! Everything that changes it goes through [`Writing`]: it holds the account's lock, gives the change one time and
//! each object a place in the log, and moves the storage counter.

mod address;
pub mod files;
mod keys;
mod tags;
mod text;
pub mod transfer;
mod usage;
mod writing;

pub use entities::library_words::{
    AnchorStatus, ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, ExportFormat,
    HighlightColor, ItemFormat, ItemStatus, KeyKind, Lane, ObjectKind, TextOrigin, TextSource, TransferState,
};
pub use keys::Key;
pub use tags::{MOST_TAGS, TAG_CHARS, Tag};
pub use text::{NewText, Text};
pub(crate) use usage::stored_bytes;
pub use writing::{OBJECT_BYTES, Stamp, Writing};
