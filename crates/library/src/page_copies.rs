//! Page copies of items, as a browser displays the page (HTML file, screenshot, or PDF): requests, list, download, and
//! deletion. The browser runs in a worker, or it is a person's browser, whose extension sends the copy.
//!
//! An item has at most one copy per format. A new request replaces the copy when the new copy is stored. The bytes of
//! copies count towards the size of their item.

use articles::{Address, Payer};
use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_page_copy::{self, Column};
use entities::library_words::{PageCopyFormat, PageCopyState};
use identity::limits::AccountLimits;
use identity::limits::window::RateState;
use jobs::{JobKind, NewJob, Submitted};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder};

use crate::files::{self, File, ReleasedFile};
use crate::item;
use crate::page_copy_charges::{self, COPY_EXTRACTIONS};
use crate::transaction::LibraryTransaction;
use kernel::clock::HOUR;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result};

/// Age at which the job of a waiting request counts as lost, so that the request can be repeated.
pub(crate) const LOST_AFTER: Millis = HOUR;

/// Page copy of an item, or the pending request for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageCopy {
    pub format: PageCopyFormat,
    /// State of the latest request.
    pub state: PageCopyState,
    /// Error code of the latest request if it failed.
    pub error_code: Option<String>,
    pub requested_at: Millis,
    /// Stored copy. `None` until the first one is stored.
    pub stored: Option<StoredCopy>,
}

/// Stored copy of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCopy {
    /// Size in bytes.
    pub size: u64,
    /// `sha256:` and the digest in hexadecimal.
    pub checksum: String,
    /// Sentences about content that was left out, and about dismissed cookie notices. `None` if there are none.
    pub statement: Option<String>,
    pub created_at: Millis,
}

/// Copy from an export. Its file is stored, but not assigned to an item.
pub(crate) struct ImportedCopy {
    pub(crate) format: PageCopyFormat,
    pub(crate) blob: String,
    /// Size in bytes.
    pub(crate) size: i64,
    pub(crate) checksum: String,
    pub(crate) statement: Option<String>,
    pub(crate) created_at: Millis,
}

/// File of a new copy. It is assigned to the item of the copy.
pub(crate) struct NewCopyFile {
    pub(crate) blob: String,
    /// Size in bytes.
    pub(crate) size: i64,
    pub(crate) checksum: String,
    /// Sentences about content that was left out. `None` if no content was left out.
    pub(crate) statement: Option<String>,
}

/// Result of a request for a copy.
#[derive(Debug)]
pub struct RequestedCopy {
    pub copy: PageCopy,
    /// Fresh extraction limits of the account after this call. `None` if the call joined an earlier request.
    pub fresh: Option<Vec<RateState>>,
}

impl PageCopy {
    pub(crate) fn of(row: library_page_copy::Model) -> Option<Self> {
        let stored = match (row.size_bytes, row.checksum, row.created_at) {
            (Some(size), Some(checksum), Some(created_at)) => {
                let size = size.max(0).unsigned_abs();
                Some(StoredCopy { size, checksum, statement: row.statement, created_at })
            }
            _ => None,
        };
        let format = PageCopyFormat::parse(&row.format)?;
        let (state, error_code, requested_at) = (row.state, row.error_code, row.requested_at);
        Some(Self { format, state, error_code, requested_at, stored })
    }
}

/// Requests a page copy of an item, which a worker creates. If a request is already waiting, joins it. The caller
/// pushes the job if one is returned.
///
/// # Errors
/// `not_found`; `unsupported_content` if the service has no browser, or if the item has no web address;
/// `fresh_extraction_limit`; `storage_limit_reached`; `capacity_exhausted`.
#[boxed]
pub async fn request_page_copy(
    domain: &Domain,
    payer: Payer,
    item_id: ItemId,
    format: PageCopyFormat,
) -> Result<(RequestedCopy, Option<Submitted>)> {
    let Payer { account_id, tier } = payer;
    let connection = domain.db().read();
    let item = item::row(connection, account_id, item_id).await?.ok_or_else(|| not_found("item"))?;
    articles::require_browser(domain, articles::Render::Always)?;
    require_page(&item)?;
    Address::parse(domain, &item.url)?;
    if let Some(copy) = find_waiting(connection, domain, account_id, (item_id, format)).await? {
        return Ok((RequestedCopy { copy, fresh: None }, None));
    }
    let (limits, charged_at) = (domain.limits(), domain.now());
    let reservation = limits.reserve_extractions(domain, (account_id, tier), COPY_EXTRACTIONS).await?;
    let fresh = Some(reservation.states().to_vec());
    match submit(domain, account_id, (item_id, format), charged_at).await {
        Ok((copy, Some(job))) => Ok((RequestedCopy { copy, fresh }, Some(job))),
        Ok((copy, None)) => {
            limits.refund(reservation).await;
            Ok((RequestedCopy { copy, fresh: None }, None))
        }
        Err(error) => {
            limits.refund(reservation).await;
            Err(error)
        }
    }
}

/// Checks that the item has a page.
///
/// # Errors
/// `unsupported_content` if the item has no web address.
pub(crate) fn require_page(item: &library_item::Model) -> Result<()> {
    if item.url.starts_with("http") {
        return Ok(());
    }
    Err(Error::new(Code::UnsupportedContent, "The item has no web address, so it has no page."))
}

/// Records a request that was charged, and submits its job. Returns no job if another request is waiting.
async fn submit(
    domain: &Domain,
    account_id: AccountId,
    (item_id, format): (ItemId, PageCopyFormat),
    charged_at: Millis,
) -> Result<(PageCopy, Option<Submitted>)> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    item::row(transaction.db(), account_id, item_id).await?.ok_or_else(|| not_found("item"))?;
    if let Some(copy) = find_waiting(transaction.db(), domain, account_id, (item_id, format)).await? {
        return Ok((copy, None));
    }
    transaction.require_capacity()?;
    let known = find(transaction.db(), account_id, (item_id, format)).await?;
    // The job of a request that is still waiting was lost.
    if let Some(lost) = &known {
        page_copy_charges::refund(&mut transaction, lost);
    }
    let row = library_page_copy::Model {
        state: PageCopyState::Waiting,
        error_code: None,
        requested_at: transaction.now,
        is_automatic: false,
        charged_at: Some(charged_at),
        ..known.unwrap_or_else(|| blank(&transaction, (item_id, format)))
    };
    put(transaction.db(), row.clone()).await?;
    let job = NewJob::new(JobKind::LibraryPageCopy, key_of(item_id, format)).owner(account_id);
    let job = jobs::submit(transaction.db(), domain, job).await?;
    transaction.commit().await?;
    let copy = PageCopy::of(row).ok_or_else(|| not_found("copy"))?;
    Ok((copy, Some(job)))
}

/// Creates the row of a copy that was not requested before.
pub(crate) fn blank(
    transaction: &LibraryTransaction,
    (item_id, format): (ItemId, PageCopyFormat),
) -> library_page_copy::Model {
    library_page_copy::Model {
        account_id: transaction.account_id,
        item_id,
        format: format.as_str().to_owned(),
        state: PageCopyState::Waiting,
        error_code: None,
        statement: None,
        requested_at: transaction.now,
        is_automatic: false,
        charged_at: None,
        blob: None,
        size_bytes: None,
        checksum: None,
        created_at: None,
    }
}

/// Replaces the file of a copy: releases the earlier file, counts the difference, and changes `row`, which the caller
/// writes.
pub(crate) async fn replace_file(
    transaction: &mut LibraryTransaction,
    row: &mut library_page_copy::Model,
    mut item: library_item::Model,
    file: NewCopyFile,
) -> Result<()> {
    let replaced = file_of(row);
    let before = replaced.as_ref().map_or(0, |old| old.size);
    files::release(transaction, replaced.as_slice()).await?;
    transaction.count(before, file.size);
    item.stored_bytes += file.size - before;
    item::write_silently(transaction, item).await?;
    (row.blob, row.size_bytes, row.checksum) = (Some(file.blob), Some(file.size), Some(file.checksum));
    (row.statement, row.created_at) = (file.statement, Some(transaction.now));
    Ok(())
}

/// Inserts or replaces the row of a copy.
pub(crate) async fn put(connection: &impl ConnectionTrait, row: library_page_copy::Model) -> Result<()> {
    let replaced = OnConflict::columns([Column::AccountId, Column::ItemId, Column::Format])
        .update_columns([
            Column::State,
            Column::ErrorCode,
            Column::Statement,
            Column::RequestedAt,
            Column::IsAutomatic,
            Column::ChargedAt,
            Column::Blob,
            Column::SizeBytes,
            Column::Checksum,
            Column::CreatedAt,
        ])
        .to_owned();
    library_page_copy::Entity::insert(row.into_active_model())
        .on_conflict(replaced)
        .exec_without_returning(connection)
        .await?;
    Ok(())
}

/// Returns the request that is waiting, unless its job was lost.
async fn find_waiting(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    copy: (ItemId, PageCopyFormat),
) -> Result<Option<PageCopy>> {
    let row = find(connection, account_id, copy).await?;
    Ok(row.filter(|row| is_waiting(row, domain.now())).and_then(PageCopy::of))
}

/// Returns true if the latest request is waiting, unless its job was lost.
pub(crate) fn is_waiting(row: &library_page_copy::Model, now: Millis) -> bool {
    row.state == PageCopyState::Waiting && row.requested_at > now - LOST_AFTER
}

pub(crate) async fn find(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    (item_id, format): (ItemId, PageCopyFormat),
) -> Result<Option<library_page_copy::Model>> {
    let query = library_page_copy::Entity::owned_by(account_id)
        .filter(Column::ItemId.eq(item_id))
        .filter(Column::Format.eq(format.as_str()));
    Ok(query.one(connection).await?)
}

/// Returns the rows of the copies of some items.
pub(crate) async fn rows_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    item_ids: &[ItemId],
) -> Result<Vec<library_page_copy::Model>> {
    let query = library_page_copy::Entity::owned_by(account_id)
        .filter(Column::ItemId.is_in(item_ids.to_vec()))
        .order_by_asc(Column::ItemId)
        .order_by_asc(Column::Format);
    Ok(query.all(connection).await?)
}

/// Returns the file of a copy, which can be released. `None` if no copy is stored.
pub(crate) fn file_of(row: &library_page_copy::Model) -> Option<ReleasedFile> {
    Some(ReleasedFile { blob: row.blob.clone()?, size: row.size_bytes.unwrap_or(0) })
}

/// Returns the page copies of an item, and the pending requests for them.
///
/// # Errors
/// `not_found` if the item does not exist.
#[boxed]
pub async fn list_page_copies(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
) -> Result<Vec<PageCopy>> {
    let connection = domain.db().read();
    item::row(connection, account_id, item_id).await?.ok_or_else(|| not_found("item"))?;
    let rows = rows_of(connection, account_id, &[item_id]).await?;
    Ok(rows.into_iter().filter_map(PageCopy::of).collect())
}

/// Opens the stored page copy of an item.
///
/// # Errors
/// `not_found`; `not_ready` if the first copy is not stored yet.
#[boxed]
pub async fn open_page_copy(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
    format: PageCopyFormat,
) -> Result<File> {
    let connection = domain.db().read();
    let item = item::row(connection, account_id, item_id).await?.ok_or_else(|| not_found("item"))?;
    let row = find(connection, account_id, (item_id, format)).await?.ok_or_else(|| not_found("copy"))?;
    let (Some(blob), Some(size), Some(checksum)) = (row.blob, row.size_bytes, row.checksum) else {
        return Err(match row.state {
            PageCopyState::Waiting => Error::new(Code::NotReady, "The copy is not ready yet.").retry_after(5),
            PageCopyState::Ready | PageCopyState::Failed => not_found("copy"),
        });
    };
    let (extension, media_type) = type_of(format);
    let name = files::clean_file_name(&format!("{}.{extension}", item.title.replace(['/', '\\'], " ")));
    let size = size.max(0).unsigned_abs();
    let created_at = row.created_at.unwrap_or(row.requested_at);
    Ok(File::of_blob(blob, name, media_type, (size, checksum), created_at))
}

/// Returns the extension and the media type of a format.
pub(crate) fn type_of(format: PageCopyFormat) -> (&'static str, &'static str) {
    match format {
        PageCopyFormat::Html => ("html", "text/html"),
        PageCopyFormat::Screenshot => ("png", "image/png"),
        PageCopyFormat::Pdf => ("pdf", "application/pdf"),
    }
}

/// Deletes a copy, or withdraws the request for it.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn delete_page_copy(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
    format: PageCopyFormat,
) -> Result<()> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    item::row(transaction.db(), account_id, item_id).await?.ok_or_else(|| not_found("item"))?;
    let row = find(transaction.db(), account_id, (item_id, format)).await?;
    delete_in(&mut transaction, &row.ok_or_else(|| not_found("copy"))?).await?;
    transaction.commit().await
}

/// Deletes the row and the file of a copy in an open transaction, and withdraws a request that is waiting.
pub(crate) async fn delete_in(
    transaction: &mut LibraryTransaction,
    row: &library_page_copy::Model,
) -> Result<()> {
    let (account_id, item_id) = (transaction.account_id, row.item_id);
    withdraw(transaction, row).await?;
    let item = item::row(transaction.db(), account_id, item_id).await?;
    if let (Some(file), Some(mut item)) = (file_of(row), item) {
        transaction.count(file.size, 0);
        item.stored_bytes -= file.size;
        files::release(transaction, &[file]).await?;
        item::write_silently(transaction, item).await?;
    }
    library_page_copy::Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::ItemId.eq(item_id))
        .filter(Column::Format.eq(row.format.as_str()))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Deletes the job of a request that is withdrawn, and refunds its charge. Does nothing if a worker runs the job, or if
/// the request is not waiting.
pub(crate) async fn withdraw(
    transaction: &mut LibraryTransaction,
    row: &library_page_copy::Model,
) -> Result<()> {
    if row.state != PageCopyState::Waiting {
        return Ok(());
    }
    let Some(format) = PageCopyFormat::parse(&row.format) else { return Ok(()) };
    let key = key_of(row.item_id, format);
    if jobs::withdraw_ready(transaction.db(), JobKind::LibraryPageCopy, &key).await? {
        page_copy_charges::refund(transaction, row);
    }
    Ok(())
}

/// Adds a copy from an export to an item, unless the item has a copy of the same format or a request for one is
/// waiting. Returns false if the existing copy is not identical.
///
/// # Errors
/// `storage_limit_reached`.
pub(crate) async fn add_imported(
    transaction: &mut LibraryTransaction,
    item_id: ItemId,
    copy: ImportedCopy,
) -> Result<bool> {
    let account_id = transaction.account_id;
    let item = item::row(transaction.db(), account_id, item_id).await?;
    let known = find(transaction.db(), account_id, (item_id, copy.format)).await?;
    // A request that failed without a copy is replaced.
    let existing = known.filter(|row| row.blob.is_some() || row.state == PageCopyState::Waiting);
    if let Some(existing) = existing {
        return Ok(existing.checksum.as_ref() == Some(&copy.checksum));
    }
    let Some(mut item) = item else { return Ok(true) };
    files::retain_unassigned(transaction, &copy.blob, copy.size).await?;
    files::assign_retained(transaction, &copy.blob, item_id).await?;
    transaction.count(0, copy.size);
    item.stored_bytes += copy.size;
    item::write_silently(transaction, item).await?;
    let row = library_page_copy::Model {
        account_id,
        item_id,
        format: copy.format.as_str().to_owned(),
        state: PageCopyState::Ready,
        error_code: None,
        statement: copy.statement,
        requested_at: copy.created_at,
        is_automatic: false,
        charged_at: None,
        blob: Some(copy.blob),
        size_bytes: Some(copy.size),
        checksum: Some(copy.checksum),
        created_at: Some(copy.created_at),
    };
    put(transaction.db(), row).await?;
    Ok(true)
}

/// Returns the key of the job that creates a copy.
pub(crate) fn key_of(item_id: ItemId, format: PageCopyFormat) -> String {
    format!("{item_id}:{format}")
}

/// Parses the key of a job. `None` if the key has another form.
pub(crate) fn parse_key(key: &str) -> Option<(ItemId, PageCopyFormat)> {
    let (item_id, format) = key.split_once(':')?;
    Some((item_id.parse().ok()?, PageCopyFormat::parse(format)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn job_key_identifies_the_item_and_the_format() {
        let id = ItemId::from_u128(7);
        for format in PageCopyFormat::ALL {
            assert_eq!(parse_key(&key_of(id, *format)), Some((id, *format)));
        }
        assert_eq!(parse_key("7:html"), None);
        assert_eq!(parse_key(&format!("{id}:gif")), None);
    }
}
