//! Private library of an account: items, notes, and highlights, with search, sync, import, and export.
//!
//! Every change goes through [`Writing`]. It locks the account, gives the change one time and each changed
//! object a sequence number in the log, and updates the storage counter.

mod account_rows;
mod anchoring;
mod annotation_lists;
mod annotations;
mod apply;
mod at_once;
mod change;
mod classify;
pub mod draft;
mod feed_stars;
pub mod files;
mod highlights;
mod item;
pub mod job_kinds;
mod keys;
mod list;
mod notes;
mod objects;
mod objects_text;
mod place;
mod placing;
mod purge;
mod rank;
mod read;
mod reading;
mod remove;
pub mod save;
mod saved_entries;
mod saving;
mod search;
mod shelves;
pub mod stars;
pub mod sync;
mod tag_changes;
mod tag_lists;
mod tags;
mod text;
pub mod transfer;
mod usage;
pub mod work;
mod writing;

pub use account_rows::LibraryRows;
pub use annotation_lists::{AnnotationFilter, AnnotationPage, list_highlights, list_notes};
pub use annotations::Annotations;
pub use change::{BulkChanged, Changes, IfMatch, Progress, ReadMark, Update, change_all, update};
pub use draft::{ExistingText, Save};
pub use entities::library_words::{
    AnchorStatus, ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, ExportFormat,
    HighlightColor, ItemFormat, ItemStatus, KeyKind, Lane, ObjectKind, TakeoutPart, TextOrigin, TextSource,
    TransferState,
};
pub use feed_stars::{star, unstar};
pub use highlights::{
    Highlight, HighlightUpdate, NewHighlight, create_highlight, delete_highlight, get_highlight,
    update_highlight,
};
pub use item::Item;
#[cfg(feature = "testing")]
pub use item::index_rows;
pub use keys::Key;
pub use list::{ItemFilter, ItemPage, View, list};
pub use notes::{NewNote, Note, NoteUpdate, create_note, delete_note, get_note, update_note};
pub use objects::{ObjectPage, Summary, list_objects, opening};
pub use place::{PLACE_BYTES, Place};
pub use purge::purge;
pub use read::PATIENCE;
pub use reading::{RefreshFrom, find, get, open, refresh, text_of, texts};
pub use remove::{delete, delete_all};
pub use saved_entries::LibraryEntries;
pub use saving::save_entry_later;
pub use saving::{Extraction, PendingSave, Saved, save, save_entry};
#[cfg(feature = "testing")]
pub use search::index::IndexRow;
pub use search::snippet::Snippet;
pub use shelves::{Amount, Shelves, shelves};
pub use tag_changes::{TagChanged, change_tag, delete_tag, rename_tag};
pub use tag_lists::{TagCount, list_tags};
pub use tags::Tag;
pub use text::{NewText, Text};
pub use usage::stored_bytes;
pub use writing::{OBJECT_BYTES, Stamp, Writing};
