//! Uploads and downloads: files of items, copies of their pages, imports, and exports. Files are streamed and are
//! never completely in memory.

mod body;
mod download;
mod exports;
mod import_report;
mod import_servers;
mod imports;
mod operations;
mod page_copies;
mod page_copy_settings;
mod range;

use self::exports::ExportsApi;
use self::import_report::ImportReportApi;
use self::import_servers::ImportServersApi;
use self::imports::ImportsApi;
use self::operations::FilesApi;
use self::page_copies::PageCopiesApi;
use self::page_copy_settings::PageCopySettingsApi;
pub use download::FileHeaders;

/// Operations of the group, one type per subject.
pub(super) type FilesGroup = (FilesApi, CopiesApi, ImportsApi, ImportReportApi, ImportServersApi, ExportsApi);
/// Operations on copies of pages, and on their settings.
type CopiesApi = (PageCopiesApi, PageCopySettingsApi);

pub(super) fn operations() -> FilesGroup {
    let copies = (PageCopiesApi, PageCopySettingsApi);
    (FilesApi, copies, ImportsApi, ImportReportApi, ImportServersApi, ExportsApi)
}
