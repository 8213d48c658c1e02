//! Files of items: upload, download, replacement, and deletion.
//!
//! A file is first written to the blob store, and then assigned to its item in one transaction. The row of a
//! blob is inserted before its first byte is written, so the sweep finds every abandoned upload. A file that
//! is written in one piece, such as a received message, gets its row afterwards. If it has no row, the sweep
//! deletes it after a day. While a backup runs, the sweep deletes no file.

mod blob;
mod download;
mod hold;
mod kind;
mod name;
mod read;
mod remove;
mod sweep;
mod upload;

pub use self::blob::delete_account_files;
pub use self::blob::{
    NewBlobs, begin_unassigned, discard_unassigned, is_upload_running, retain_unassigned, store_unassigned,
    write_unassigned,
};
pub use self::blob::{ReleasedFile, release};
pub(crate) use self::blob::{UPLOAD_TIME, assign_retained, mark_in_use};
pub use self::download::{File, open_file, require_item};
pub use self::hold::{hold_deletions, is_hold_active, release_hold};
pub use self::name::clean as clean_file_name;
pub use self::read::file_input;
pub use self::remove::remove_file;
pub use self::sweep::{delete_lost, delete_released};
pub use self::upload::{ExistingFile, FileUpload, NewFile, UploadResult, begin_file};
pub use self::upload::{abandon, give_up};
pub(crate) use self::upload::{assign_first, begin_reserved, too_large};

#[cfg(test)]
mod tests;
