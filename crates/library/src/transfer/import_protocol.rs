//! Protocol between a worker and the child process that reads the file of an import: the request, which is an
//! argument of the child, and the frames of the response. The constants are the tags of the frames.

use entities::library_words::AccountExportPart;
use extract::imports::{Format, ImportService, ServerPageRequest};
use serde::{Deserialize, Serialize};

use super::shared_file::ItemFileMode;

/// Row of another service, as JSON.
pub(super) const ROW: u8 = b'R';
/// Line of the native format, as JSON.
pub(super) const LINE: u8 = b'L';
/// Reason why a row is invalid, as JSON.
pub(super) const INVALID_ROW: u8 = b'I';
/// Name of the format of the following rows.
pub(super) const FORMAT: u8 = b'F';
/// Piece of an item's file. The line of the item follows.
pub(super) const FILE_PIECE: u8 = b'P';
/// All pieces of a file were sent.
pub(super) const FILE_COMPLETE: u8 = b'C';
/// The file of an item cannot be read to its end.
pub(super) const FILE_CORRUPT: u8 = b'X';
/// Empty frame that reports progress while rows are skipped.
pub(super) const PROGRESS: u8 = b'S';
/// Position of the next page of a server, and ids of lists, as JSON. The rows of the current page follow this frame.
pub(super) const PAGE: u8 = b'G';
/// Token from the response to a login.
pub(super) const TOKEN: u8 = b'T';
/// Number of rows in the file, or the reason why reading stopped, as JSON.
pub(super) const END: u8 = b'E';
/// Content of a requested part.
pub(super) const PART: u8 = b'A';
/// Empty frame for a requested part that does not exist.
pub(super) const NO_PART: u8 = b'N';

/// Maximum size of the JSON of a row or a line, in bytes. A line of a file has at most 64 MiB. Its JSON can
/// be larger, because it includes members that the line omits.
pub(super) const MAX_ENTRY_BYTES: usize = 72 * 1024 * 1024;
/// Maximum size of a piece of a file, in bytes.
pub(super) const PIECE_BYTES: usize = 256 * 1024;
/// Maximum number of rows of a file.
pub(super) const MAX_ROWS: u64 = 1_000_000;
/// Maximum size of an item's file, in bytes. Uploads are limited to a quarter of this size.
pub(super) const MAX_FILE_BYTES: u64 = 1024 * 1024 * 1024;

/// Request to a child.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ImportRequest {
    Rows(ImportPassOptions),
    /// Parts of an account export. The child sends one frame per part, in this order.
    Parts(Vec<AccountExportPart>),
    /// Rows of a page from a server.
    Page(ServerPageRequest),
    /// Token from a server's response to a login.
    Login(ImportService),
}

/// Options of a pass over the rows of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ImportPassOptions {
    /// Format of the file. `None` detects the format.
    pub(super) format: Option<Format>,
    pub(super) files: ItemFileMode,
    /// Number of rows that are read but not sent.
    pub(super) skip: u64,
    /// Mapping from columns of a table, or members of JSON objects, to fields. If empty, the fields are
    /// derived from the names.
    pub(super) columns: String,
}
