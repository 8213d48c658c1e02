//! The file of an import on its way in: what is asked for with it, and its bounds.

use entities::ids::AccountId;
use entities::library_import;
use entities::library_words::{ImportKind, TakeoutPart, TransferState};
use extract::imports::Format;
use sea_orm::{EntityTrait, IntoActiveModel};

use super::import::{FILE_KEPT, Import, KEPT, submit};
use crate::Writing;
use crate::at_once::Place;
use crate::files::{abandon, begin_nameless, give_up};
use jobs::Submitted;
use kernel::blobs::{Stored, Upload};
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;
use kernel::statement::scalar;

/// The largest file.
pub const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024 * 1024;
/// The largest list of subscriptions.
pub const MAX_LIST_BYTES: u64 = 8 * 1024 * 1024;
/// When another upload is worth a try.
const UPLOAD_RETRY_SECONDS: u32 = 5;
/// Bytes of the files that are kept for imports of account `$1` at `$2`.
const KEPT_BYTES: &str = "SELECT CAST(COALESCE(SUM(i.bytes), 0) AS bigint) FROM library_import i \
    JOIN library_blob b ON b.blob = i.blob WHERE i.account_id = $1 AND b.delete_at > $2";

/// A file that is to be imported.
#[derive(Clone, Debug, Default)]
pub struct NewImport {
    /// Its format; told by its beginning where that is not said.
    pub format: Option<Format>,
    /// Nothing is written.
    pub is_dry: bool,
    /// What the person deleted is brought back.
    pub include_deleted: bool,
    /// What an export of ours holds beside the library and is taken in, too.
    pub include: Vec<TakeoutPart>,
}

/// A file that is coming in for an import. When it is dropped before its end, nothing is left of it.
pub struct ImportUpload {
    domain: Domain,
    account_id: AccountId,
    kind: ImportKind,
    blob: String,
    upload: Option<Upload>,
    /// Bytes of the account's other files that are kept for imports.
    kept: u64,
    _place: Place,
}

/// Begins to take in the file of a library. Files of imports do not count as storage, so their number and size are bounded
/// by themselves.
///
/// # Errors
/// `rate_limited` while another file of the account comes in; `service_unavailable` when the store does not answer.
pub async fn begin_import(domain: &Domain, account_id: AccountId) -> Result<ImportUpload> {
    begin(domain, account_id, ImportKind::Library).await
}

/// [`begin_import`] for a list of subscriptions.
///
/// # Errors
/// As for [`begin_import`].
pub async fn begin_list_import(domain: &Domain, account_id: AccountId) -> Result<ImportUpload> {
    begin(domain, account_id, ImportKind::Subscriptions).await
}

async fn begin(domain: &Domain, account_id: AccountId, kind: ImportKind) -> Result<ImportUpload> {
    let Some(place) = crate::at_once::imports(domain).begin(account_id) else {
        let message = "Another file for an import of this account is coming in.";
        return Err(Error::new(Code::RateLimited, message).retry_after(UPLOAD_RETRY_SECONDS));
    };
    let values = [account_id.into(), domain.now().into()];
    let kept = scalar(domain.db().write(), KEPT_BYTES, values).await?.max(0).unsigned_abs();
    let (blob, upload) = begin_nameless(domain, account_id, FILE_KEPT).await?;
    let upload = Some(upload);
    Ok(ImportUpload { domain: domain.clone(), account_id, kind, blob, upload, kept, _place: place })
}

impl ImportUpload {
    /// Takes the next piece.
    ///
    /// # Errors
    /// `payload_too_large`; `service_unavailable`.
    pub async fn push(&mut self, piece: &[u8]) -> Result<()> {
        let Some(upload) = &mut self.upload else { return Err(Error::internal("the upload is over")) };
        let is_list = self.kind == ImportKind::Subscriptions;
        if is_list && upload.size() + piece.len() as u64 > MAX_LIST_BYTES {
            let message = "The file is too large for a list of feeds: one has 8 MiB at most.";
            return Err(Error::new(Code::PayloadTooLarge, message));
        }
        if self.kept + upload.size() + piece.len() as u64 > MAX_FILE_BYTES {
            let message = "The files of an account's imports have 4 GiB at most together. One is kept for a day, or until \
                           its import is deleted.";
            return Err(Error::new(Code::PayloadTooLarge, message));
        }
        upload.push(piece).await
    }

    /// Asks for the import of what came. The caller pushes the job.
    ///
    /// # Errors
    /// `invalid_request` when the beginning is of no known format.
    pub async fn finish(mut self, new: NewImport) -> Result<(Import, Submitted)> {
        let Some(upload) = self.upload.take() else { return Err(Error::internal("the upload is over")) };
        let asked = match upload.finish().await {
            Ok(stored) => self.ask(&stored, new).await,
            Err(error) => Err(error),
        };
        if asked.is_err() {
            give_up(&self.domain, self.account_id, &self.blob).await;
        }
        asked
    }

    async fn ask(&self, stored: &Stored, new: NewImport) -> Result<(Import, Submitted)> {
        let (domain, account_id) = (&self.domain, self.account_id);
        let format = match self.kind {
            ImportKind::Library => known_format(stored, new.format)?,
            ImportKind::Subscriptions => None,
        };
        let writing = Writing::begin(domain, account_id).await?;
        let row = library_import::Model {
            id: domain.new_id(),
            account_id,
            kind: self.kind,
            state: TransferState::Queued,
            format: format.map_or("auto", Format::as_str).to_owned(),
            is_dry: new.is_dry,
            include_deleted: new.include_deleted,
            include: words_of(&new.include),
            blob: self.blob.clone(),
            bytes: i64::try_from(stored.size).unwrap_or(i64::MAX),
            total: None,
            rows_done: 0,
            created: 0,
            existing: 0,
            skipped: 0,
            failed: 0,
            highlights: 0,
            collections: 0,
            problems: "[]".to_owned(),
            error_code: None,
            is_cancelled: false,
            is_undone: false,
            created_at: writing.now,
            finished_at: None,
            expires_at: writing.now + KEPT,
        };
        library_import::Entity::insert(row.clone().into_active_model())
            .exec_without_returning(writing.db())
            .await?;
        let submitted = submit(&writing, domain).await?;
        writing.commit().await?;
        Ok((row.into(), submitted))
    }
}

/// The caller hung up, or something went wrong on the way.
impl Drop for ImportUpload {
    fn drop(&mut self) {
        if let Some(upload) = self.upload.take() {
            abandon(&self.domain, self.account_id, &self.blob, upload);
        }
    }
}

/// The format that is said, or that the beginning tells; none as long as an archive may hold one.
fn known_format(stored: &Stored, said: Option<Format>) -> Result<Option<Format>> {
    let (container, guessed) = extract::imports::guess(&stored.head);
    let format = said.or(guessed);
    if format.is_none() && container == extract::imports::Container::Plain {
        return Err(Error::invalid_field("file", "is of no format that is known here"));
    }
    Ok(format)
}

fn words_of(include: &[TakeoutPart]) -> String {
    include.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(",")
}
