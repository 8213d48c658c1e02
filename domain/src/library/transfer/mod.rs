//! Whole libraries, out and in: our own format, in which nothing is lost, and the common ones.

mod archive;
mod bookmarks;
mod export;
mod gather;
pub(crate) mod line;
mod run_export;
mod table;

pub use self::export::{
    Export, ExportPart, create_export, delete_export, delete_old_exports, get_export, open_export,
};
pub use self::run_export::{give_up_export, run_export};

#[cfg(test)]
mod tests;
