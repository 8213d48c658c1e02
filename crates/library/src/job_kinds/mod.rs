//! Job kinds of this crate, one file each.

mod account_files;
mod imported_copies;
mod item_rules;
mod library_export;
mod library_import;
mod library_index;
mod library_page_copy;
mod library_server;
mod library_tag;
mod library_text;
mod model_tags;

use articles::worker_tools::Tools;
use jobs::RegisteredKind;

pub use account_files::AccountFiles;
pub use imported_copies::ImportedCopies;
pub use item_rules::ItemRules;
pub use library_export::LibraryExportJob;
pub use library_import::LibraryImportJob;
pub use library_index::LibraryIndex;
pub use library_page_copy::LibraryPageCopyJob;
pub use library_server::LibraryServer;
pub use library_tag::LibraryTagJob;
pub use library_text::LibraryText;
pub use model_tags::ModelTags;

/// All job kinds of this crate.
pub const KINDS: &[RegisteredKind<Tools>] = &[
    RegisteredKind::of::<AccountFiles>(),
    RegisteredKind::of::<ImportedCopies>(),
    RegisteredKind::of::<ItemRules>(),
    RegisteredKind::of::<LibraryExportJob>(),
    RegisteredKind::of::<LibraryImportJob>(),
    RegisteredKind::of::<LibraryIndex>(),
    RegisteredKind::of::<LibraryPageCopyJob>(),
    RegisteredKind::of::<LibraryServer>(),
    RegisteredKind::of::<LibraryTagJob>(),
    RegisteredKind::of::<LibraryText>(),
    RegisteredKind::of::<ModelTags>(),
];
