//! Files of items: upload, download, replacement, and deletion.
//!
//! A file is first written to the blob store, and then assigned to its item in one transaction. The row of a
//! blob is inserted before its first byte is written, so the sweep finds every abandoned upload. While a
//! backup runs, no file is deleted.

mod blob;
mod download;
mod hold;
mod kind;
mod name;
mod read;
mod remove;
mod sweep;
mod upload;

pub(crate) use self::blob::assign_retained;
pub use self::blob::delete_account_files;
pub use self::blob::{ReleasedFile, release};
pub use self::blob::{
    begin_unassigned, discard_unassigned, is_upload_running, retain_unassigned, store_unassigned,
};
pub use self::download::{File, open_file, require_item};
pub use self::hold::{hold_deletions, is_hold_active, release_hold};
pub use self::name::clean as clean_file_name;
pub use self::read::file_input;
pub use self::remove::remove_file;
pub use self::sweep::{delete_lost, delete_released};
pub use self::upload::{ExistingFile, FileUpload, NewFile, UploadResult, begin_file};
pub use self::upload::{abandon, give_up};

#[cfg(test)]
mod tests;
