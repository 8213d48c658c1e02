//! Job kinds of the library, one file each.

mod account_files;
mod library_export;
mod library_import;
mod library_index;
mod library_page_copy;
mod library_server;
mod library_tag;
mod library_text;
mod model_tags;

pub use account_files::AccountFiles;
pub use library_export::LibraryExport;
pub use library_import::LibraryImport;
pub use library_index::LibraryIndex;
pub use library_page_copy::LibraryPageCopy;
pub use library_server::LibraryServer;
pub use library_tag::LibraryTag;
pub use library_text::LibraryText;
pub use model_tags::ModelTags;
