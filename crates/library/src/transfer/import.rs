//! Imports: state, cancellation, and deletion.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ImportId};
use entities::library_words::{ImportKind, TransferState};
use entities::{library_blob, library_import};
use extract::imports::{ColumnMap, Format};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, Select};
use serde::{Deserialize, Serialize};

use super::folder_tags::FolderTags;
use super::imported_part::ImportedPart;
use super::server_state;
use crate::LibraryTransaction;
use jobs::{JobKind, NewJob, Submitted};
use kernel::clock::DAY;
use kernel::error::not_found;
use kernel::{Code, Domain, Millis, Result};

/// Time for which the file of an import is retained.
pub(super) const FILE_RETENTION: Millis = DAY;
/// Time for which an import can be undone, and its rows can be listed.
pub(super) const IMPORT_RETENTION: Millis = 30 * DAY;
/// Stored problems of an import without problems.
pub(super) const NO_PROBLEMS: &str = "[]";
/// Stored parts of an import without parts.
pub(super) const NO_PARTS: &str = "[]";
/// Maximum number of problems that are recorded for an import.
pub(super) const MAX_PROBLEMS: usize = 100;
/// Maximum number of rows per query.
const STEP: u64 = 200;

/// State of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub id: ImportId,
    pub state: TransferState,
    /// Format of the file. `None` until it is known.
    pub format: Option<Format>,
    /// True for a dry run, which writes nothing.
    pub is_dry: bool,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Number of rows. `None` until they are counted.
    pub total: Option<i64>,
    /// Number of items that were created. In a dry run, the number that would be created.
    pub created: i64,
    /// Number of rows whose item already existed.
    pub existing: i64,
    /// Number of rows that were intentionally not imported.
    pub skipped: i64,
    /// Number of rows that could not be imported.
    pub failed: i64,
    /// Number of notes and highlights that were created. In a dry run, the number that would be created.
    pub highlights: i64,
    /// Number of collections that were created.
    pub collections: i64,
    /// Objects of an account export that do not belong to the library. Empty in a dry run.
    pub parts: Vec<ImportedPart>,
    /// Problems of the first rows that have problems.
    pub problems: Vec<RowProblem>,
    pub error_code: Option<String>,
    pub finished_at: Option<Millis>,
    /// True if the rows come from an uploaded file, false if they come from a server.
    pub has_file: bool,
    /// True if parts of an account export are imported in addition to its library.
    pub includes_parts: bool,
    /// Mapping from columns of a table, or members of JSON objects, to fields. Empty for other formats.
    pub columns: ColumnMap,
    /// State of undoing the import.
    pub undo: ImportUndoState,
    /// Time until which the import can be undone and its rows are listed.
    pub expires_at: Millis,
}

/// State of undoing an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImportUndoState {
    #[default]
    None,
    /// A job deletes the objects that the import created.
    Running,
    Complete,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowProblem {
    /// Row number, starting at 1.
    pub row: u64,
    /// Stable code.
    pub code: String,
    /// Human-readable description of the problem.
    pub reason: String,
}

impl RowProblem {
    /// Returns true if a part of the row was omitted because of a limit.
    pub(super) fn is_limit(&self) -> bool {
        [Code::LimitReached.as_str(), Code::StorageLimitReached.as_str()].contains(&self.code.as_str())
    }
}

impl Import {
    /// Returns true if a retry may import more: rows failed, or met a limit. Also true if not all problems
    /// are listed.
    #[must_use]
    pub fn may_be_retried(&self) -> bool {
        let has_limit = self.problems.iter().any(RowProblem::is_limit);
        self.has_file && (self.failed > 0 || has_limit || self.has_more_problems())
    }

    /// Returns true if the file may have problems that `problems` does not list.
    #[must_use]
    pub fn has_more_problems(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }
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
            parts: serde_json::from_str(&row.parts).unwrap_or_default(),
            problems: serde_json::from_str(&row.problems).unwrap_or_default(),
            error_code: row.error_code,
            finished_at: row.finished_at,
            has_file: !row.blob.is_empty(),
            includes_parts: !row.include.is_empty(),
            columns: ColumnMap::parse(&row.column_map).unwrap_or_default(),
            undo: match (row.is_undone, row.is_undo_requested) {
                (true, _) => ImportUndoState::Complete,
                (false, true) => ImportUndoState::Running,
                (false, false) => ImportUndoState::None,
            },
            expires_at: row.expires_at,
        }
    }
}

/// Creates the row of a new import with default options.
pub(super) fn new_row(
    id: ImportId,
    account_id: AccountId,
    kind: ImportKind,
    now: Millis,
) -> library_import::Model {
    library_import::Model {
        id,
        account_id,
        kind,
        state: TransferState::Queued,
        format: "auto".to_owned(),
        is_dry: false,
        include_deleted: false,
        include: String::new(),
        folders: FolderTags::default().as_str().to_owned(),
        column_map: String::new(),
        blob: String::new(),
        bytes: 0,
        total: None,
        rows_done: 0,
        created: 0,
        existing: 0,
        skipped: 0,
        failed: 0,
        highlights: 0,
        collections: 0,
        parts: NO_PARTS.to_owned(),
        problems: NO_PROBLEMS.to_owned(),
        error_code: None,
        is_cancelled: false,
        is_retry: false,
        is_undo_requested: false,
        is_undone: false,
        created_at: now,
        finished_at: None,
        expires_at: now + IMPORT_RETENTION,
    }
}

/// Submits the job that runs the imports of the account one at a time.
pub(super) async fn submit(transaction: &LibraryTransaction, domain: &Domain) -> Result<Submitted> {
    let job = NewJob::new(JobKind::LibraryImport, transaction.account_id.to_string());
    jobs::submit(transaction.db(), domain, job).await
}

/// Returns the live job that runs the imports of the account. `None` if no such job is live.
#[boxed]
pub async fn import_job(domain: &Domain, account_id: AccountId) -> Result<Option<Submitted>> {
    jobs::live_submission(domain.db().write(), JobKind::LibraryImport, &account_id.to_string()).await
}

/// Returns an import into the account's library, from a file or a server.
///
/// # Errors
/// `not_found` if the account does not have the import.
#[boxed]
pub async fn get_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<Import> {
    let row = of_library(account_id, id).one(domain.db().read()).await?;
    Ok(row.ok_or_else(|| not_found("import"))?.into())
}

/// Returns an import of a list of subscriptions.
///
/// # Errors
/// `not_found` if the account does not have the import.
#[boxed]
pub async fn get_list_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<Import> {
    let row = of_kind(ImportKind::Subscriptions, account_id, id).one(domain.db().read()).await?;
    Ok(row.ok_or_else(|| not_found("import"))?.into())
}

/// Returns the latest import of a list of subscriptions. `None` if no such import is stored.
#[boxed]
pub async fn last_list_import(domain: &Domain, account_id: AccountId) -> Result<Option<Import>> {
    let row = library_import::Entity::owned_by(account_id)
        .filter(library_import::Column::Kind.eq(ImportKind::Subscriptions))
        .order_by_desc(library_import::Column::Id)
        .one(domain.db().read())
        .await?;
    Ok(row.map(Import::from))
}

/// Selects an import into the library, from a file or a server.
pub(super) fn of_library(account_id: AccountId, id: ImportId) -> Select<library_import::Entity> {
    library_import::Entity::owned_by(account_id)
        .filter(library_import::Column::Id.eq(id))
        .filter(library_import::Column::Kind.is_in([ImportKind::Library, ImportKind::Server]))
}

/// Selects an import of one kind.
pub(super) fn of_kind(
    kind: ImportKind,
    account_id: AccountId,
    id: ImportId,
) -> Select<library_import::Entity> {
    library_import::Entity::owned_by(account_id)
        .filter(library_import::Column::Id.eq(id))
        .filter(library_import::Column::Kind.eq(kind))
}

/// Cancels an import into the library. A running import stops at its next step. The next sweep deletes the
/// file.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn cancel_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<()> {
    cancel(domain, account_id, of_library(account_id, id)).await
}

/// Cancels the import of a list of subscriptions. A running import stops at its next step. The next sweep
/// deletes the file. Subscriptions that were already imported are retained.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn cancel_list_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<()> {
    cancel(domain, account_id, of_kind(ImportKind::Subscriptions, account_id, id)).await
}

async fn cancel(domain: &Domain, account_id: AccountId, query: Select<library_import::Entity>) -> Result<()> {
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let row = query.one(transaction.db()).await?.ok_or_else(|| not_found("import"))?;
    let mut change = library_import::ActiveModel { is_cancelled: Set(true), ..Default::default() };
    if matches!(row.state, TransferState::Queued | TransferState::Running) {
        change.state = Set(TransferState::Failed);
        change.error_code = Set(Some(CANCELLED.to_owned()));
        change.finished_at = Set(Some(transaction.now));
    }
    library_import::Entity::update_many()
        .set(change)
        .filter(library_import::Column::Id.eq(row.id))
        .exec(transaction.db())
        .await?;
    if row.kind == ImportKind::Server {
        server_state::end_run_of(&transaction, row.id, CANCELLED).await?;
    }
    library_blob::Entity::update_many()
        .set(library_blob::ActiveModel { delete_at: Set(Some(transaction.now)), ..Default::default() })
        .filter(library_blob::Column::Blob.eq(row.blob))
        .exec(transaction.db())
        .await?;
    transaction.commit().await
}

/// Error code of a cancelled import.
pub(super) const CANCELLED: &str = "cancelled";

/// Deletes expired imports. Returns the number of deleted imports.
#[boxed]
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
