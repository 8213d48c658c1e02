//! Exports of a library: creation, state, parts, and deletion.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ExportId};
use entities::library_words::{ExportFormat, TransferState};
use entities::{library_blob, library_export};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
};
use serde::{Deserialize, Serialize};

use crate::LibraryTransaction;
use crate::files::File;
use jobs::{JobKind, NewJob, Submitted};
use kernel::clock::DAY;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result};

/// Time for which a complete export can be downloaded.
pub(super) const EXPORT_RETENTION: Millis = DAY;
/// Maximum number of complete exports of an account per day.
const MAX_PER_DAY: u64 = 4;
/// Maximum number of exports that an account can start per day, including those that failed or were stopped.
const MAX_STARTS_PER_DAY: u64 = 20;
/// Maximum number of rows per query.
const STEP: u64 = 200;

/// State of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    pub id: ExportId,
    pub state: TransferState,
    pub format: ExportFormat,
    /// Number of objects in the export.
    pub total: i64,
    /// Number of objects written so far.
    pub done: i64,
    /// Parts of the export. Empty until the export is complete.
    pub parts: Vec<ExportPart>,
    /// Time at which the export is deleted.
    pub expires_at: Millis,
    pub error_code: Option<String>,
}

/// File of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportPart {
    /// Number of the part, starting at 1.
    pub number: u32,
    /// Size in bytes.
    pub size: u64,
    /// `sha256:` and the digest in hexadecimal.
    pub checksum: String,
    /// Key in the blob store.
    pub(super) blob: String,
}

impl From<library_export::Model> for Export {
    fn from(row: library_export::Model) -> Self {
        let parts = serde_json::from_str(&row.parts).unwrap_or_default();
        let parts = if row.state == TransferState::Complete { parts } else { Vec::new() };
        Self {
            id: row.id,
            state: row.state,
            format: row.format,
            total: row.total,
            done: row.done,
            parts,
            expires_at: row.expires_at,
            error_code: row.error_code,
        }
    }
}

/// Requests an export, or returns the export that is in progress. The caller pushes the job, if one is
/// returned.
///
/// # Errors
/// `daily_limit_reached` if the account has completed the maximum number of exports of the day. Exports that failed or
/// were stopped do not count, but their number is also limited.
#[boxed]
pub async fn create_export(
    domain: &Domain,
    account_id: AccountId,
    format: ExportFormat,
) -> Result<(Export, Option<Submitted>)> {
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let under_way = library_export::Entity::owned_by(account_id)
        .filter(library_export::Column::State.is_in([TransferState::Queued, TransferState::Running]))
        .one(transaction.db())
        .await?;
    if let Some(row) = under_way {
        return Ok((row.into(), None));
    }
    require_capacity(&transaction).await?;
    let row = library_export::Model {
        id: domain.new_id(),
        account_id,
        state: TransferState::Queued,
        format,
        total: 0,
        done: 0,
        parts: "[]".to_owned(),
        error_code: None,
        created_at: transaction.now,
        expires_at: transaction.now + 2 * EXPORT_RETENTION,
    };
    let job = NewJob::new(JobKind::LibraryExport, row.id.to_string());
    let submitted = jobs::submit(transaction.db(), domain, job).await?;
    library_export::Entity::insert(row.clone().into_active_model())
        .exec_without_returning(transaction.db())
        .await?;
    transaction.commit().await?;
    Ok((row.into(), Some(submitted)))
}

/// Checks that the account can start another export today.
async fn require_capacity(transaction: &LibraryTransaction) -> Result<()> {
    let today = start_of_day(transaction.now);
    let started = library_export::Entity::owned_by(transaction.account_id)
        .filter(library_export::Column::CreatedAt.gte(today));
    let complete = started.clone().filter(library_export::Column::State.eq(TransferState::Complete));
    let message = if complete.count(transaction.db()).await? >= MAX_PER_DAY {
        "A library can be exported four times a day. Try again after midnight UTC."
    } else if started.count(transaction.db()).await? >= MAX_STARTS_PER_DAY {
        "Too many exports were started today. Try again after midnight UTC."
    } else {
        return Ok(());
    };
    let seconds = u32::try_from((today + DAY - transaction.now) / 1000 + 1).unwrap_or(u32::MAX);
    Err(Error::new(Code::DailyLimitReached, message).retry_after(seconds))
}

#[boxed]
pub async fn get_export(domain: &Domain, account_id: AccountId, id: ExportId) -> Result<Export> {
    Ok(find(domain, account_id, id).await?.into())
}

async fn find(domain: &Domain, account_id: AccountId, id: ExportId) -> Result<library_export::Model> {
    let row = library_export::Entity::owned_by(account_id)
        .filter(library_export::Column::Id.eq(id))
        .filter(library_export::Column::ExpiresAt.gt(domain.now()))
        .one(domain.db().read())
        .await?;
    row.ok_or_else(|| not_found("export"))
}

/// Opens a part of a complete export.
///
/// # Errors
/// `not_found`; `not_ready` if the export is not complete.
#[boxed]
pub async fn open_export(domain: &Domain, account_id: AccountId, id: ExportId, number: u32) -> Result<File> {
    let export = get_export(domain, account_id, id).await?;
    match export.state {
        TransferState::Complete => {}
        TransferState::Queued | TransferState::Running => {
            return Err(Error::new(Code::NotReady, "The export is not complete yet.").retry_after(5));
        }
        TransferState::Failed => return Err(not_found("part of this export")),
    }
    let count = export.parts.len();
    let part = export.parts.into_iter().find(|part| part.number == number);
    let part = part.ok_or_else(|| not_found("part of this export"))?;
    let name = export_file_name(export.format, number, count);
    let media_type = match export.format {
        ExportFormat::SvcJsonl
        | ExportFormat::Markdown
        | ExportFormat::MarkdownItems
        | ExportFormat::MarkdownTexts => "application/zip",
        ExportFormat::Netscape => "text/html",
        ExportFormat::Csv => "text/csv",
        ExportFormat::Anki => "text/tab-separated-values",
    };
    let put_at = export.expires_at - EXPORT_RETENTION;
    Ok(File::of_blob(part.blob, name, media_type, (part.size, part.checksum), put_at))
}

/// Returns the name of the file of part `number` of an export with `count` parts.
#[must_use]
pub fn export_file_name(format: ExportFormat, number: u32, count: usize) -> String {
    let archive = |name: &str| if count > 1 { format!("{name}-{number}.zip") } else { format!("{name}.zip") };
    match format {
        ExportFormat::SvcJsonl => archive("library"),
        ExportFormat::Netscape => "library.html".to_owned(),
        ExportFormat::Csv => "library.csv".to_owned(),
        ExportFormat::Anki => "cards.txt".to_owned(),
        ExportFormat::Markdown | ExportFormat::MarkdownItems | ExportFormat::MarkdownTexts => {
            archive("markdown")
        }
    }
}

fn start_of_day(now: Millis) -> Millis {
    now - now.rem_euclid(DAY)
}

/// Deletes an export with its parts. A running export stops. The row is retained until the end of the day, because a
/// complete export counts towards the daily limit even after its deletion.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn delete_export(domain: &Domain, account_id: AccountId, id: ExportId) -> Result<()> {
    let row = find(domain, account_id, id).await?;
    let is_complete = row.state == TransferState::Complete;
    let state = if is_complete { TransferState::Complete } else { TransferState::Failed };
    remove_in_transaction(domain, &row, state).await
}

/// Deletes an export whose files did not reach the caller. It does not count towards the daily limit.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn withdraw_export(domain: &Domain, account_id: AccountId, id: ExportId) -> Result<()> {
    let row = find(domain, account_id, id).await?;
    remove_in_transaction(domain, &row, TransferState::Failed).await
}

async fn remove_in_transaction(
    domain: &Domain,
    row: &library_export::Model,
    state: TransferState,
) -> Result<()> {
    let transaction = LibraryTransaction::begin(domain, row.account_id).await?;
    remove(&transaction, row, state).await?;
    transaction.commit().await
}

/// Removes the parts of an export. If its row is retained, the row gets the state `state`.
async fn remove(
    transaction: &LibraryTransaction,
    row: &library_export::Model,
    state: TransferState,
) -> Result<()> {
    let parts: Vec<ExportPart> = serde_json::from_str(&row.parts).unwrap_or_default();
    let blobs: Vec<String> = parts.into_iter().map(|part| part.blob).collect();
    library_blob::Entity::update_many()
        .set(library_blob::ActiveModel { delete_at: Set(Some(transaction.now)), ..Default::default() })
        .filter(library_blob::Column::AccountId.eq(row.account_id))
        .filter(library_blob::Column::Blob.is_in(blobs))
        .exec(transaction.db())
        .await?;
    if row.created_at < start_of_day(transaction.now) {
        library_export::Entity::delete_by_id(row.id).exec(transaction.db()).await?;
        return Ok(());
    }
    let deleted = library_export::ActiveModel {
        state: Set(state),
        parts: Set("[]".to_owned()),
        expires_at: Set(transaction.now),
        ..Default::default()
    };
    library_export::Entity::update_many()
        .set(deleted)
        .filter(library_export::Column::Id.eq(row.id))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Deletes expired exports. The sweep of files deletes their parts. Returns the number of deleted exports.
#[boxed]
pub async fn delete_old_exports(domain: &Domain) -> Result<u64> {
    let mut deleted = 0;
    loop {
        let old = library_export::Entity::find()
            .filter(library_export::Column::ExpiresAt.lte(domain.now()))
            .filter(library_export::Column::CreatedAt.lt(start_of_day(domain.now())))
            .order_by_asc(library_export::Column::ExpiresAt)
            .paginate(domain.db().read(), STEP)
            .fetch_page(0)
            .await?;
        let count = old.len() as u64;
        for row in &old {
            remove_in_transaction(domain, row, row.state).await?;
        }
        deleted += count;
        if count < STEP {
            return Ok(deleted);
        }
    }
}
