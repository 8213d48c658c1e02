//! Export and import of whole libraries: in the native format, which contains all data, in common formats,
//! and from servers of other services.

mod account_export;
mod anki;
mod annotation_import;
mod archive;
mod archive_entries;
mod batch_size;
mod blocking;
mod bookmarks;
mod created_objects;
mod export;
mod export_job;
mod export_pages;
mod file_reader;
pub mod fingerprint;
mod folder_tags;
mod foreign_row;
mod highlight_merge;
mod import;
mod import_child;
mod import_job;
mod import_protocol;
mod import_record;
mod import_report;
mod import_rerun;
mod import_rows;
mod import_state;
mod import_writer;
mod imported_part;
mod item_merge;
mod known_items;
mod like_annotations;
pub mod line;
mod list_import_job;
pub mod markdown_file;
mod markdown_pages;
mod native_format;
mod omnivore;
mod planned_rows;
mod positions;
mod report_pages;
mod row_batches;
mod row_preparer;
mod row_results;
mod server_client;
mod server_credential;
mod server_fault;
mod server_job;
mod server_position;
mod server_requests;
mod server_state;
mod servers;
mod service_ids;
mod settings_parts;
mod shared_file;
mod table;
mod tally;
mod themed_reviews;
mod undo;
mod upload;

pub use self::created_objects::{CreatedObject, delete_created, mark_created};
pub use self::export::{
    Export, ExportPart, create_export, delete_export, delete_old_exports, export_file_name, get_export,
    open_export, withdraw_export,
};
pub use self::export_job::{give_up_export, run_export};
pub use self::folder_tags::FolderTags;
pub use self::import::{
    Import, ImportUndoState, RowProblem, cancel_import, cancel_list_import, delete_old_imports, get_import,
    get_list_import, import_job, last_list_import,
};
pub use self::import_child::import_child_main;
pub use self::import_job::{give_up_imports, run_imports};
pub use self::import_report::RowReport;
pub use self::import_rerun::{change_columns, retry_import, start_import};
pub use self::imported_part::ImportedPart;
pub use self::list_import_job::OTHER_COLLECTION;
pub use self::markdown_pages::{MarkdownFiles, markdown_files};
pub use self::report_pages::{RowPage, RowQuery, RowSelection, import_report_table, list_import_rows};
pub use self::server_credential::{ServerCredential, credential_fields};
pub use self::server_job::{give_up_server, run_server};
pub use self::server_requests::server_address;
pub use self::servers::{
    ImportServer, MAX_SERVERS, NewImportServer, add_server, delete_server, find_server, list_servers,
    server_job, start_server,
};
pub use self::undo::undo_import;
pub use self::upload::{
    ImportUpload, MAX_FILE_BYTES, MAX_LIST_BYTES, NewImport, begin_import, begin_list_import,
};

#[cfg(test)]
mod tests;
