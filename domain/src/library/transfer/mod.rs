//! Whole libraries, out and in: our own format, in which nothing is lost, and the common ones.

mod archive;
mod bookmarks;
mod export;
mod gather;
mod import;
pub(crate) mod line;
mod lossless;
pub(crate) mod mark;
mod omnivore;
mod prepare;
mod prepared;
mod put;
mod read;
mod remarks;
mod run_export;
mod run_import;
mod table;
mod takeout;
mod tally;
mod undo;
mod view;

pub use self::export::{
    Export, ExportPart, create_export, delete_export, delete_old_exports, get_export, open_export,
};
pub use self::import::{
    Import, ImportUpload, MAX_FILE_BYTES, NewImport, RowProblem, begin_import, cancel_import,
    delete_old_imports, get_import, import_job, start_import,
};
pub use self::run_export::{give_up_export, run_export};
pub use self::run_import::{give_up_imports, run_imports};
pub use self::undo::undo_import;

#[cfg(test)]
mod tests;
