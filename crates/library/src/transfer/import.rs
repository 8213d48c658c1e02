//! Imports that were asked for: looked at, carried out when they were tried out, and stopped.

use entities::ids::{AccountId, ImportId};
use entities::library_words::{ImportKind, TransferState};
use entities::{library_blob, library_import};
use extract::imports::Format;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder, Select,
};
use serde::{Deserialize, Serialize};

use crate::Writing;
use jobs::{JobKind, NewJob, Submitted};
use kernel::clock::{DAY, Millis};
use kernel::code::Code;
use kernel::error::{Error, Result, not_found};
use kernel::handle::Domain;

/// How long the file is kept.
pub(super) const FILE_KEPT: Millis = DAY;
/// How long an import can be taken back.
pub(super) const KEPT: Millis = 7 * DAY;
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
    /// Collections that were made.
    pub collections: i64,
    /// The first rows that something is wrong with.
    pub problems: Vec<RowProblem>,
    /// Why it failed.
    pub error_code: Option<String>,
    /// When it ended.
    pub finished_at: Option<Millis>,
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
            collections: row.collections,
            problems: serde_json::from_str(&row.problems).unwrap_or_default(),
            error_code: row.error_code,
            finished_at: row.finished_at,
        }
    }
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

/// An import into the account's library.
///
/// # Errors
/// `not_found`.
pub async fn get_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<Import> {
    let row = of_kind(ImportKind::Library, account_id, id).one(domain.db().read()).await?;
    Ok(row.ok_or_else(|| not_found("import"))?.into())
}

/// An import of a list of the account's.
///
/// # Errors
/// `not_found`.
pub async fn get_list_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<Import> {
    let row = of_kind(ImportKind::Subscriptions, account_id, id).one(domain.db().read()).await?;
    Ok(row.ok_or_else(|| not_found("import"))?.into())
}

/// The account's last import of a list, while it is known.
///
/// # Errors
/// What the database said.
pub async fn last_list_import(domain: &Domain, account_id: AccountId) -> Result<Option<Import>> {
    let row = library_import::Entity::owned_by(account_id)
        .filter(library_import::Column::Kind.eq(ImportKind::Subscriptions))
        .order_by_desc(library_import::Column::Id)
        .one(domain.db().read())
        .await?;
    Ok(row.map(Import::from))
}

/// An import of one kind.
pub(super) fn of_kind(
    kind: ImportKind,
    account_id: AccountId,
    id: ImportId,
) -> Select<library_import::Entity> {
    library_import::Entity::owned_by(account_id)
        .filter(library_import::Column::Id.eq(id))
        .filter(library_import::Column::Kind.eq(kind))
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
    let found = of_kind(ImportKind::Library, account_id, id);
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

/// Stops an import into the library at its next step; its file goes at once.
///
/// # Errors
/// `not_found`.
pub async fn cancel_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<()> {
    cancel(domain, account_id, of_kind(ImportKind::Library, account_id, id)).await
}

/// Stops the import of a list at its next step; its file goes at once, and what was taken in stays.
///
/// # Errors
/// `not_found`.
pub async fn cancel_list_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<()> {
    cancel(domain, account_id, of_kind(ImportKind::Subscriptions, account_id, id)).await
}

async fn cancel(domain: &Domain, account_id: AccountId, found: Select<library_import::Entity>) -> Result<()> {
    let writing = Writing::begin(domain, account_id).await?;
    let row = found.one(writing.db()).await?.ok_or_else(|| not_found("import"))?;
    let mut change = library_import::ActiveModel { is_cancelled: Set(true), ..Default::default() };
    if matches!(row.state, TransferState::Queued | TransferState::Running) {
        change.state = Set(TransferState::Failed);
        change.error_code = Set(Some(CANCELLED.to_owned()));
        change.finished_at = Set(Some(writing.now));
    }
    library_import::Entity::update_many()
        .set(change)
        .filter(library_import::Column::Id.eq(row.id))
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
