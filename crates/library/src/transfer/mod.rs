//! Export and import of whole libraries: the native format, which is complete, and common formats.

mod account_export;
mod archive;
mod bookmarks;
mod export;
mod gather;
mod import;
pub mod line;
mod lossless;
pub mod mark;
mod omnivore;
mod prepare;
mod prepared;
mod put;
mod read;
mod remarks;
mod run_export;
mod run_import;
mod run_list;
mod standing;
mod table;
mod tally;
mod undo;
mod upload;
mod view;

pub use self::export::{
    Export, ExportPart, create_export, delete_export, delete_old_exports, get_export, open_export,
};
pub use self::import::{
    Import, RowProblem, cancel_import, cancel_list_import, delete_old_imports, get_import, get_list_import,
    import_job, last_list_import, start_import,
};
pub use self::run_export::{give_up_export, run_export};
pub use self::run_import::{give_up_imports, run_imports};
pub use self::undo::undo_import;
pub use self::upload::{
    ImportUpload, MAX_FILE_BYTES, MAX_LIST_BYTES, NewImport, begin_import, begin_list_import,
};

#[cfg(test)]
mod tests;
