//! Uploads of import files, with the options and limits of imports.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::library_import;
use entities::library_words::{AccountExportPart, ImportKind};
use extract::imports::{self, ColumnMap, Format, ImportContainer, UnknownFile};
use permits::KeyedPermit;
use sea_orm::{EntityTrait, IntoActiveModel};

use super::folder_tags::FolderTags;
use super::import::{FILE_RETENTION, Import, new_row, submit};
use super::import_report;
use crate::LibraryTransaction;
use crate::account_concurrency::{self, pace_upload};
use crate::files::{abandon, begin_unassigned, give_up};
use jobs::Submitted;
use kernel::blobs::{StoredBlob, Upload};
use kernel::statement::scalar;
use kernel::{Code, Domain, Error, Result};

/// Maximum size of an import file, in bytes.
pub const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024 * 1024;
/// Maximum total size of an account's import files, as a multiple of the storage in the account's plan.
const PLAN_MULTIPLE: u64 = 2;
/// Maximum size of a list of subscriptions, in bytes.
pub const MAX_LIST_BYTES: u64 = 8 * 1024 * 1024;
/// Delay after which a refused upload can be retried, in seconds.
const UPLOAD_RETRY_SECONDS: u32 = 5;
/// Statement that returns the total size of the import files that account `$1` has at time `$2`, in bytes.
const RETAINED_BYTES: &str = "SELECT CAST(COALESCE(SUM(i.bytes), 0) AS bigint) FROM library_import i \
    JOIN library_blob b ON b.blob = i.blob WHERE i.account_id = $1 AND b.delete_at > $2";

/// Options of an import.
#[derive(Clone, Debug, Default)]
pub struct NewImport {
    /// Format of the file. `None` detects the format from the start of the file.
    pub format: Option<Format>,
    /// True for a dry run, which writes nothing.
    pub is_dry: bool,
    /// True to also import items that the person deleted from the library.
    pub include_deleted: bool,
    /// Parts of an account export that are imported in addition to the library.
    pub include: Vec<AccountExportPart>,
    /// Conversion of folders to tags.
    pub folders: FolderTags,
    /// Mapping from columns of a table, or members of JSON objects, to fields. Carrel chooses the fields of
    /// other columns.
    pub columns: ColumnMap,
}

/// Running upload of an import file. If it is dropped before [`ImportUpload::finish`], the written bytes are
/// deleted.
pub struct ImportUpload {
    domain: Domain,
    account_id: AccountId,
    kind: ImportKind,
    blob: String,
    upload: Option<Upload>,
    /// Total size of the account's other import files, in bytes.
    retained_bytes: u64,
    /// Maximum total size of the account's import files including this file, in bytes.
    max_bytes: u64,
    _permit: KeyedPermit<AccountId>,
}

/// Starts the upload of a library file. Import files do not count towards the storage quota, so they have
/// separate limits on their number and size.
///
/// # Errors
/// `rate_limited` while another import file of the account is being uploaded; `service_unavailable` if the
/// blob store does not respond.
#[boxed]
pub async fn begin_import(domain: &Domain, account_id: AccountId) -> Result<ImportUpload> {
    begin(domain, account_id, ImportKind::Library).await
}

/// Starts the upload of a list of subscriptions.
///
/// # Errors
/// The errors of [`begin_import`].
#[boxed]
pub async fn begin_list_import(domain: &Domain, account_id: AccountId) -> Result<ImportUpload> {
    begin(domain, account_id, ImportKind::Subscriptions).await
}

async fn begin(domain: &Domain, account_id: AccountId, kind: ImportKind) -> Result<ImportUpload> {
    let Some(permit) = account_concurrency::imports(domain).try_acquire(account_id) else {
        let message = "Another import file of this account is being uploaded. Retry later.";
        return Err(Error::new(Code::RateLimited, message).retry_after(UPLOAD_RETRY_SECONDS));
    };
    let values = [account_id.into(), domain.now().into()];
    let retained_bytes = scalar(domain.db().write(), RETAINED_BYTES, values).await?.max(0).unsigned_abs();
    let storage = LibraryTransaction::begin(domain, account_id).await?.plan.library_storage_bytes;
    let (blob, upload) = begin_unassigned(domain, account_id, FILE_RETENTION).await?;
    let upload = Some(upload);
    Ok(ImportUpload {
        domain: domain.clone(),
        account_id,
        kind,
        blob,
        upload,
        retained_bytes,
        max_bytes: MAX_FILE_BYTES.min(storage.saturating_mul(PLAN_MULTIPLE)),
        _permit: permit,
    })
}

impl ImportUpload {
    /// Writes the next chunk. Waits if the account exceeds its upload rate.
    ///
    /// # Errors
    /// `payload_too_large` if the account's import files exceed their maximum size; `service_unavailable` if
    /// the blob store does not respond.
    #[boxed]
    pub async fn push(&mut self, piece: &[u8]) -> Result<()> {
        let Some(upload) = &mut self.upload else { return Err(Error::internal("upload already finished")) };
        let is_list = self.kind == ImportKind::Subscriptions;
        if is_list && upload.size() + piece.len() as u64 > MAX_LIST_BYTES {
            let message = "The file is too large for a list of feeds: the limit is 8 MiB.";
            return Err(Error::new(Code::PayloadTooLarge, message));
        }
        if self.retained_bytes + upload.size() + piece.len() as u64 > self.max_bytes {
            let mib = self.max_bytes >> 20;
            let message = format!(
                "The import files of this account can take up at most {mib} MiB in total. A file is stored for a day, or until its import is deleted."
            );
            return Err(Error::new(Code::PayloadTooLarge, message));
        }
        pace_upload(&self.domain, self.account_id, piece.len()).await;
        upload.push(piece).await
    }

    /// Requests the import of the uploaded file. The caller pushes the job.
    ///
    /// # Errors
    /// `invalid_request` if the format of the file is unknown.
    #[boxed]
    pub async fn finish(mut self, new: NewImport) -> Result<(Import, Submitted)> {
        let Some(upload) = self.upload.take() else { return Err(Error::internal("upload already finished")) };
        let requested = match upload.finish().await {
            Ok(stored) => self.request(&stored, new).await,
            Err(error) => Err(error),
        };
        // After a transient error, the import may have been committed. If it was not, the file expires.
        if requested.as_ref().is_err_and(|error| !error.is_transient()) {
            give_up(&self.domain, self.account_id, &self.blob).await;
        }
        requested
    }

    async fn request(&self, stored: &StoredBlob, new: NewImport) -> Result<(Import, Submitted)> {
        let (domain, account_id) = (&self.domain, self.account_id);
        let (format, columns) = match self.kind {
            ImportKind::Library => known_format(stored, new.format, &new.columns)?,
            ImportKind::Subscriptions | ImportKind::Server => (None, ColumnMap::default()),
        };
        let transaction = LibraryTransaction::begin(domain, account_id).await?;
        import_report::delete_oldest(transaction.db(), account_id).await?;
        let row = library_import::Model {
            format: format.map_or("auto", Format::as_str).to_owned(),
            is_dry: new.is_dry,
            include_deleted: new.include_deleted,
            include: words_of(&new.include),
            folders: new.folders.as_str().to_owned(),
            column_map: columns.to_string(),
            blob: self.blob.clone(),
            bytes: i64::try_from(stored.size).unwrap_or(i64::MAX),
            ..new_row(domain.new_id(), account_id, self.kind, transaction.now)
        };
        library_import::Entity::insert(row.clone().into_active_model())
            .exec_without_returning(transaction.db())
            .await?;
        let submitted = submit(&transaction, domain).await?;
        transaction.commit().await?;
        Ok((row.into(), submitted))
    }
}

/// Abandons the upload if the client disconnected or an error occurred.
impl Drop for ImportUpload {
    fn drop(&mut self) {
        if let Some(upload) = self.upload.take() {
            abandon(&self.domain, self.account_id, &self.blob, upload);
        }
    }
}

/// Returns the declared format, or the detected format, with the mapping of its columns. The format is `None`
/// if it can only be detected from the entries of an archive.
fn known_format(
    stored: &StoredBlob,
    declared: Option<Format>,
    chosen: &ColumnMap,
) -> Result<(Option<Format>, ColumnMap)> {
    let (container, guessed) = imports::guess(&stored.head);
    if container == ImportContainer::Zip {
        return Ok((declared, chosen.clone()));
    }
    let file = imports::describe_unknown(&stored.head);
    if guessed.is_none() && file.is_of_another_page() {
        return Err(unknown_format(file));
    }
    let proposal = imports::propose_columns(&stored.head);
    let proposed = |is_usable: fn(&ColumnMap) -> bool| {
        proposal.as_ref().filter(|(_, columns)| is_usable(columns)).map(|(format, _)| *format)
    };
    let format = match declared {
        Some(format) => Some(format),
        // Columns are chosen for a table or a list, even if the file resembles the export of a service.
        None if !chosen.is_empty() => proposed(|_| true),
        None => guessed.or_else(|| proposed(imports::has_urls)),
    };
    let format = format.ok_or_else(|| unknown_format(file))?;
    if !format.has_columns() {
        return if chosen.is_empty() {
            Ok((Some(format), ColumnMap::default()))
        } else {
            let reason = "Columns can be chosen only for tables and lists of objects.";
            Err(Error::new(Code::InvalidRequest, reason).at("map", reason))
        };
    }
    let rest = proposal.filter(|(proposed, _)| *proposed == format).map(|(_, columns)| columns);
    Ok((Some(format), chosen.clone().with_rest(&rest.unwrap_or_default())))
}

/// Returns an error that describes the file. It also states where the file can be imported, or which formats
/// are known.
fn unknown_format(file: UnknownFile) -> Error {
    let what = match file {
        UnknownFile::Empty => "The file is empty.",
        UnknownFile::Opml => {
            "The file is a list of feeds (OPML). Import it on the page Feeds › Import and export, or with POST /v1/rss/opml."
        }
        UnknownFile::Feed => {
            "The file is a feed. Follow its URL on the page Feeds › Follow a site, or with POST /v1/rss/subscriptions."
        }
        UnknownFile::Document => {
            "The file is a document. Upload it as an item with POST /v1/library/items, not as an import."
        }
        UnknownFile::Binary => "The file is neither text nor a ZIP archive.",
        UnknownFile::Page => "The file is a web page without bookmarks.",
        UnknownFile::Json => "The file is JSON in an unknown format.",
        UnknownFile::Text => "The format of the file is unknown. If it is a supported format, choose it.",
    };
    let known = Format::ALL.iter().map(|format| format.label()).collect::<Vec<_>>().join(", ");
    let reason =
        if file.is_of_another_page() { what.to_owned() } else { format!("{what} Known formats: {known}.") };
    Error::new(Code::InvalidRequest, reason).at("file", what)
}

fn words_of(include: &[AccountExportPart]) -> String {
    include.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(",")
}
