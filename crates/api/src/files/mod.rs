//! Files that come in and go out: of items, of imports and of exports. They are streamed, and never held whole.

mod body;
mod download;
mod exports;
mod imports;
mod operations;
mod range;

use self::exports::ExportsApi;
use self::imports::ImportsApi;
use self::operations::FilesApi;
pub use download::Label;

/// The group's operations, one type a subject.
pub(super) type FilesGroup = (FilesApi, ImportsApi, ExportsApi);

/// The operations, ready to be mounted.
pub(super) fn operations() -> FilesGroup {
    (FilesApi, ImportsApi, ExportsApi)
}
