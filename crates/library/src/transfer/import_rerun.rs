//! Further runs of an import with the same file: the import after its dry run, a dry run with other columns,
//! and a retry of the rows that failed.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ImportId};
use entities::library_words::{ImportKind, TransferState};
use entities::{library_blob, library_import};
use extract::imports::{ColumnMap, Format};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter};

use super::import::{FILE_RETENTION, IMPORT_RETENTION, Import, NO_PARTS, NO_PROBLEMS, of_kind, submit};
use super::import_report;
use crate::LibraryTransaction;
use jobs::Submitted;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result};

/// Runs an import after its dry run, with the same file. The caller pushes the job.
///
/// # Errors
/// `not_found` if the import does not exist or its file was deleted; `not_ready` during the dry run.
#[boxed]
pub async fn start_import(
    domain: &Domain,
    account_id: AccountId,
    id: ImportId,
) -> Result<(Import, Option<Submitted>)> {
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let row = row_of(&transaction, id).await?;
    if !row.is_dry {
        return Ok((row.into(), None));
    }
    let mut reset_row = restarted(&transaction, row).await?;
    reset_row.is_dry = false;
    reset_row.expires_at = transaction.now + IMPORT_RETENTION;
    run_again(transaction, domain, reset_row).await
}

/// Repeats a dry run with other columns. The caller pushes the job.
///
/// # Errors
/// `not_found` if the import does not exist or its file was deleted; `not_ready` during the dry run;
/// `invalid_request` if the import was started, or if the format has no columns to choose.
#[boxed]
pub async fn change_columns(
    domain: &Domain,
    account_id: AccountId,
    id: ImportId,
    columns: &ColumnMap,
) -> Result<(Import, Option<Submitted>)> {
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let row = row_of(&transaction, id).await?;
    if !row.is_dry || !Format::parse(&row.format).is_some_and(Format::has_columns) {
        let message = "The columns can be chosen for tables and lists of objects, before the import starts.";
        return Err(Error::new(Code::InvalidRequest, message));
    }
    let mut reset_row = restarted(&transaction, row).await?;
    reset_row.column_map = columns.to_string();
    run_again(transaction, domain, reset_row).await
}

/// Retries the failed rows of a completed import, or continues an import that was interrupted. Does nothing
/// if no row can be retried. The caller pushes the job.
///
/// # Errors
/// `not_found` if the import does not exist, or if its file or the results of its rows were deleted;
/// `not_ready` while the import runs, or if it is a dry run.
#[boxed]
pub async fn retry_import(
    domain: &Domain,
    account_id: AccountId,
    id: ImportId,
) -> Result<(Import, Option<Submitted>)> {
    let query = of_kind(ImportKind::Library, account_id, id);
    let row = query.one(domain.db().write()).await?.ok_or_else(|| not_found("import"))?;
    if row.is_dry {
        return Err(Error::new(Code::NotReady, "The import has not been started yet."));
    }
    let has_work = match row.state {
        TransferState::Queued | TransferState::Running => true,
        TransferState::Complete => has_rows_to_retry(domain, &row).await?,
        // An interrupted import continues after its last row.
        TransferState::Failed => row.error_code.as_deref() == Some(Code::ServiceUnavailable.as_str()),
    };
    if !has_work {
        return Ok((row.into(), None));
    }
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let mut queued_row = row_of(&transaction, id).await?;
    require_file(&transaction, &queued_row).await?;
    if queued_row.state == TransferState::Complete {
        (queued_row.is_retry, queued_row.rows_done) = (true, 0);
    }
    queued_row.state = TransferState::Queued;
    (queued_row.finished_at, queued_row.error_code) = (None, None);
    run_again(transaction, domain, queued_row).await
}

/// Returns true if a row of a completed import can be retried.
///
/// # Errors
/// `not_found` if rows had problems but their results are no longer stored.
async fn has_rows_to_retry(domain: &Domain, row: &library_import::Model) -> Result<bool> {
    if !import_report::rows_to_retry(domain, row).await?.is_empty() {
        return Ok(true);
    }
    let had_problem = row.failed > 0 || row.problems != NO_PROBLEMS;
    if had_problem && !import_report::is_stored(domain, row).await? {
        let message = "The results for the rows of this import are no longer stored. Import the file again: \
                       existing items are not added twice.";
        return Err(Error::new(Code::NotFound, message));
    }
    Ok(false)
}

async fn row_of(transaction: &LibraryTransaction, id: ImportId) -> Result<library_import::Model> {
    let query = of_kind(ImportKind::Library, transaction.account_id, id);
    query.one(transaction.db()).await?.ok_or_else(|| not_found("import"))
}

/// Checks that the import is not running, and that its file is stored.
async fn require_file(transaction: &LibraryTransaction, row: &library_import::Model) -> Result<()> {
    if matches!(row.state, TransferState::Queued | TransferState::Running) {
        let message = if row.is_dry {
            "The dry run of this import is not complete yet."
        } else {
            "The import is still running."
        };
        return Err(Error::new(Code::NotReady, message).retry_after(5));
    }
    let file = library_blob::Entity::owned_by(transaction.account_id)
        .filter(library_blob::Column::Blob.eq(row.blob.as_str()))
        .filter(library_blob::Column::DeleteAt.gt(transaction.now))
        .one(transaction.db())
        .await?;
    if file.is_none() || row.is_cancelled || row.is_undo_requested {
        return Err(not_found("file of this import"));
    }
    Ok(())
}

/// Resets an import to its state before the first row, and deletes its report.
async fn restarted(
    transaction: &LibraryTransaction,
    mut row: library_import::Model,
) -> Result<library_import::Model> {
    require_file(transaction, &row).await?;
    import_report::delete(transaction.db(), transaction.account_id, row.id).await?;
    row.state = TransferState::Queued;
    row.finished_at = None;
    (row.total, row.rows_done, row.error_code) = (None, 0, None);
    (row.created, row.existing, row.skipped, row.failed, row.highlights) = (0, 0, 0, 0, 0);
    NO_PARTS.clone_into(&mut row.parts);
    NO_PROBLEMS.clone_into(&mut row.problems);
    Ok(row)
}

/// Writes the row of an import, retains the file for another day, and submits the job.
async fn run_again(
    transaction: LibraryTransaction,
    domain: &Domain,
    row: library_import::Model,
) -> Result<(Import, Option<Submitted>)> {
    row.clone().into_active_model().reset_all().update(transaction.db()).await?;
    library_blob::Entity::update_many()
        .set(library_blob::ActiveModel {
            delete_at: Set(Some(transaction.now + FILE_RETENTION)),
            ..Default::default()
        })
        .filter(library_blob::Column::AccountId.eq(transaction.account_id))
        .filter(library_blob::Column::Blob.eq(row.blob.as_str()))
        .exec(transaction.db())
        .await?;
    let submitted = submit(&transaction, domain).await?;
    transaction.commit().await?;
    Ok((row.into(), Some(submitted)))
}
