//! Imports that were asked for: tried out first, then carried out, and taken back if need be.

use entities::ids::{AccountId, ImportId};
use entities::library_words::{TakeoutPart, TransferState};
use entities::{library_blob, library_import};
use extract::imports::Format;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder,
};
use serde::{Deserialize, Serialize};

use crate::blobs::{Blobs, Stored, Upload};
use crate::clock::{DAY, Millis};
use crate::code::Code;
use crate::error::{Error, Result, not_found};
use crate::handle::Domain;
use crate::jobs::{self, JobKind, NewJob, Submitted};
use crate::library::Writing;
use crate::library::at_once::Place;
use crate::library::files::{abandon, give_up};
use crate::statement::scalar;

/// The largest file.
pub const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024 * 1024;
/// How long the file is kept.
const FILE_KEPT: Millis = DAY;
/// How long an import can be taken back.
pub(super) const KEPT: Millis = 7 * DAY;
/// When another upload is worth a try.
const UPLOAD_RETRY_SECONDS: u32 = 5;
/// Bytes of the files that are kept for imports of account `$1` at `$2`.
const KEPT_BYTES: &str = "SELECT CAST(COALESCE(SUM(i.bytes), 0) AS bigint) FROM library_import i \
    JOIN library_blob b ON b.blob = i.blob WHERE i.account_id = $1 AND b.delete_at > $2";
/// What is deleted at once.
const STEP: u64 = 200;

/// An import as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// Its id.
    pub id: ImportId,
    /// Where it stands.
    pub state: TransferState,
    /// Its format, once it is known.
    pub format: Option<Format>,
    /// Nothing is written.
    pub is_dry: bool,
    /// Bytes of its file.
    pub bytes: u64,
    /// Rows, once they are counted.
    pub total: Option<i64>,
    /// Items that were made, or would be.
    pub created: i64,
    /// Rows whose item was there.
    pub existing: i64,
    /// Rows that were left out.
    pub skipped: i64,
    /// Rows that could not be taken.
    pub failed: i64,
    /// Notes and highlights that were made, or would be.
    pub highlights: i64,
    /// The first rows that something is wrong with.
    pub problems: Vec<RowProblem>,
    /// Why it failed.
    pub error_code: Option<String>,
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowProblem {
    /// Counts from 1.
    pub row: u64,
    /// A stable word.
    pub code: String,
    /// The same as a sentence.
    pub reason: String,
}

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
    blob: String,
    upload: Option<Upload>,
    /// Bytes of the account's other files that are kept for imports.
    kept: u64,
    _place: Place,
}

impl From<library_import::Model> for Import {
    fn from(row: library_import::Model) -> Self {
        Self {
            id: row.id,
            state: row.state,
            format: Format::parse(&row.format),
            is_dry: row.is_dry,
            bytes: row.bytes.max(0).unsigned_abs(),
            total: row.total,
            created: row.created,
            existing: row.existing,
            skipped: row.skipped,
            failed: row.failed,
            highlights: row.highlights,
            problems: serde_json::from_str(&row.problems).unwrap_or_default(),
            error_code: row.error_code,
        }
    }
}

/// Begins to take a file in. Files of imports do not count as storage, so their number and size are bounded by themselves.
///
/// # Errors
/// `rate_limited` while another file of the account comes in; `service_unavailable` when the store does not answer.
pub async fn begin_import(domain: &Domain, account_id: AccountId) -> Result<ImportUpload> {
    let Some(place) = domain.library_imports().begin(account_id) else {
        let message = "Another file for an import of this account is coming in.";
        return Err(Error::new(Code::RateLimited, message).retry_after(UPLOAD_RETRY_SECONDS));
    };
    let values = [account_id.into(), domain.now().into()];
    let kept = scalar(domain.db().write(), KEPT_BYTES, values).await?.max(0).unsigned_abs();
    let blob = Blobs::key_of(account_id, domain.random());
    let row = library_blob::ActiveModel {
        blob: Set(blob.clone()),
        account_id: Set(account_id),
        item_id: Set(None),
        replaces: Set(None),
        reserved_bytes: Set(0),
        delete_at: Set(Some(domain.now() + FILE_KEPT)),
    };
    library_blob::Entity::insert(row).exec_without_returning(domain.db().write()).await?;
    let upload = Some(domain.blobs().begin(&blob).await?);
    Ok(ImportUpload { domain: domain.clone(), account_id, blob, upload, kept, _place: place })
}

impl ImportUpload {
    /// Takes the next piece.
    ///
    /// # Errors
    /// `payload_too_large`; `service_unavailable`.
    pub async fn push(&mut self, piece: &[u8]) -> Result<()> {
        let Some(upload) = &mut self.upload else { return Err(Error::internal("the upload is over")) };
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
        let (container, guessed) = extract::imports::guess(&stored.head);
        let format = new.format.or(guessed);
        if format.is_none() && container == extract::imports::Container::Plain {
            return Err(Error::invalid_field("file", "is of no format that is known here"));
        }
        let writing = Writing::begin(domain, account_id).await?;
        let row = library_import::Model {
            id: domain.new_id(),
            account_id,
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

fn words_of(include: &[TakeoutPart]) -> String {
    include.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(",")
}

/// One import of an account runs at a time: its job is the account's, and takes them in their order.
pub(super) async fn submit(writing: &Writing, domain: &Domain) -> Result<Submitted> {
    let job = NewJob::new(JobKind::LibraryImport, writing.account_id.to_string());
    jobs::submit(writing.db(), domain, job).await
}

/// The job that carries the account's imports out, while there is one.
///
/// # Errors
/// What the database said.
pub async fn import_job(domain: &Domain, account_id: AccountId) -> Result<Option<Submitted>> {
    jobs::under_way(domain.db().write(), JobKind::LibraryImport, &account_id.to_string()).await
}

/// An import of the account.
///
/// # Errors
/// `not_found`.
pub async fn get_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<Import> {
    let row = library_import::Entity::owned_by(account_id).filter(library_import::Column::Id.eq(id));
    Ok(row.one(domain.db().read()).await?.ok_or_else(|| not_found("import"))?.into())
}

/// Carries out an import that was tried out, with the same file. The caller pushes the job.
///
/// # Errors
/// `not_found` when there is no such import or its file is gone; `not_ready` while it is tried out.
pub async fn start_import(
    domain: &Domain,
    account_id: AccountId,
    id: ImportId,
) -> Result<(Import, Option<Submitted>)> {
    let writing = Writing::begin(domain, account_id).await?;
    let found = library_import::Entity::owned_by(account_id).filter(library_import::Column::Id.eq(id));
    let row = found.one(writing.db()).await?.ok_or_else(|| not_found("import"))?;
    if !row.is_dry {
        return Ok((row.into(), None));
    }
    if matches!(row.state, TransferState::Queued | TransferState::Running) {
        return Err(Error::new(Code::NotReady, "The import is still being tried out.").retry_after(5));
    }
    let file = library_blob::Entity::owned_by(account_id)
        .filter(library_blob::Column::Blob.eq(row.blob.as_str()))
        .filter(library_blob::Column::DeleteAt.gt(writing.now))
        .one(writing.db())
        .await?;
    if file.is_none() || row.is_cancelled {
        return Err(not_found("file of this import"));
    }
    let mut again = row.clone();
    again.state = TransferState::Queued;
    again.is_dry = false;
    again.finished_at = None;
    again.expires_at = writing.now + KEPT;
    (again.total, again.rows_done, again.error_code) = (None, 0, None);
    (again.created, again.existing, again.skipped, again.failed, again.highlights) = (0, 0, 0, 0, 0);
    "[]".clone_into(&mut again.problems);
    let change = again.clone().into_active_model().reset_all();
    change.update(writing.db()).await?;
    // The file stays until a day after it is needed last.
    library_blob::Entity::update_many()
        .set(library_blob::ActiveModel {
            delete_at: Set(Some(writing.now + FILE_KEPT)),
            ..Default::default()
        })
        .filter(library_blob::Column::Blob.eq(row.blob))
        .exec(writing.db())
        .await?;
    let submitted = submit(&writing, domain).await?;
    writing.commit().await?;
    Ok((again.into(), Some(submitted)))
}

/// Stops an import at its next step; its file goes at once.
///
/// # Errors
/// `not_found`.
pub async fn cancel_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<()> {
    let writing = Writing::begin(domain, account_id).await?;
    let found = library_import::Entity::owned_by(account_id).filter(library_import::Column::Id.eq(id));
    let row = found.one(writing.db()).await?.ok_or_else(|| not_found("import"))?;
    let mut change = library_import::ActiveModel { is_cancelled: Set(true), ..Default::default() };
    if matches!(row.state, TransferState::Queued | TransferState::Running) {
        change.state = Set(TransferState::Failed);
        change.error_code = Set(Some(CANCELLED.to_owned()));
        change.finished_at = Set(Some(writing.now));
    }
    library_import::Entity::update_many()
        .set(change)
        .filter(library_import::Column::Id.eq(id))
        .exec(writing.db())
        .await?;
    library_blob::Entity::update_many()
        .set(library_blob::ActiveModel { delete_at: Set(Some(writing.now)), ..Default::default() })
        .filter(library_blob::Column::Blob.eq(row.blob))
        .exec(writing.db())
        .await?;
    writing.commit().await
}

/// The word for an import that somebody stopped.
pub(super) const CANCELLED: &str = "cancelled";

/// Forgets imports whose time is over; returns how many.
///
/// # Errors
/// What the database said.
pub async fn delete_old_imports(domain: &Domain) -> Result<u64> {
    let mut deleted = 0;
    loop {
        let old = library_import::Entity::find()
            .filter(library_import::Column::ExpiresAt.lte(domain.now()))
            .order_by_asc(library_import::Column::ExpiresAt)
            .paginate(domain.db().read(), STEP)
            .fetch_page(0)
            .await?;
        let count = old.len() as u64;
        let ids: Vec<ImportId> = old.into_iter().map(|row| row.id).collect();
        library_import::Entity::delete_many()
            .filter(library_import::Column::Id.is_in(ids))
            .exec(domain.db().write())
            .await?;
        deleted += count;
        if count < STEP {
            return Ok(deleted);
        }
    }
}
