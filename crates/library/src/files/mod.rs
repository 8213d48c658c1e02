//! Files of items: taken in, given out, replaced and forgotten.
//!
//! A file is written to the store first and belongs to its item with one commit at the end; what breaks off in between
//! is swept. The row of a blob is there before its first byte, so that no byte is ever lost sight of.

mod blob;
mod download;
mod kind;
mod name;
mod read;
mod remove;
mod sweep;
mod upload;

pub use self::blob::forget_account;
pub use self::blob::release;
pub use self::blob::{begin_nameless, is_coming, store};
pub use self::download::{File, open_file, require_item};
pub use self::name::clean as clean_file_name;
pub use self::read::file_input;
pub use self::remove::remove_file;
pub use self::sweep::{delete_lost, delete_released};
pub use self::upload::{FilePut, FileUpload, NewFile, Present, begin_file};
pub use self::upload::{abandon, give_up};

#[cfg(test)]
mod tests;
