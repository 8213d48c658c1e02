//! Creates page copies in a worker: renders the page, stores the file, and assigns it to its item in one transaction
//! with the completion of the job. Charges and refunds: [`page_copy_charges`].

use articles::worker_tools::{Captures, MAX_SCREENSHOT_HEIGHT, PageRendering, RenderRequest, Tools};
use articles::{CallerLimit, RENDER_DEADLINE, SourceFailure, of_render_error, of_sandbox_error, page_source};
use entities::ids::{AccountId, ItemId};
use entities::library_words::{PageCopyFormat, PageCopyState};
use entities::{library_item, library_page_copy};
use fetch::Fetched;
use jobs::{Claimed, JobOutcome};

use crate::copy_statement::with_warnings;
use crate::files::{assign_retained, begin_unassigned, retain_unassigned};
use crate::item;
use crate::page_copies::{self, NewCopyFile, parse_key};
use crate::page_copy_charges::{self, is_refunded};
use crate::transaction::LibraryTransaction;
use kernel::blobs::StoredBlob;
use kernel::clock::{HOUR, SECOND};
use kernel::{Code, Domain, Error, Millis, Result};

/// Time after which a file that was not assigned to its item is deleted.
pub(crate) const UNASSIGNED_LIFETIME: Millis = HOUR;
/// Delay after which a job waits again for a permit of its account.
const NEXT_WAIT: Millis = 15 * SECOND;

/// Request that a job fulfils.
struct CopyRequest {
    account_id: AccountId,
    item_id: ItemId,
    format: PageCopyFormat,
    url: String,
    row: library_page_copy::Model,
}

/// Created copy that is not stored yet.
struct CreatedCopy {
    bytes: Vec<u8>,
    /// Sentences about content that was left out, and about dismissed cookie notices. `None` if there are none.
    statement: Option<String>,
}

/// Stored copy that is not assigned to its item yet.
struct UnassignedCopy {
    blob: String,
    stored: StoredBlob,
    statement: Option<String>,
}

/// Creates the copy of the job `claimed`. If its request was withdrawn or served, only completes the job.
///
/// # Errors
/// Returns an error if another attempt may succeed.
pub(crate) async fn run(
    domain: &Domain,
    (tools, limit): (&Tools, &CallerLimit),
    claimed: &Claimed,
) -> Result<JobOutcome> {
    let Some(CopyRequest { account_id, .. }) = load(domain, &claimed.key).await? else {
        jobs::complete(domain, claimed).await?;
        return Ok(JobOutcome::Completed);
    };
    let Some(_permit) = limit.acquire(claimed, Some(&account_id.to_string())).await else {
        // Waiting until the other copies of the account are created could exceed the run limit.
        return jobs::snooze_in(domain.db().write(), domain, claimed, NEXT_WAIT).await;
    };
    run_permitted(domain, tools, claimed).await?;
    Ok(JobOutcome::Completed)
}

/// Creates the copy, unless its request was withdrawn while the job waited for its permit.
async fn run_permitted(domain: &Domain, tools: &Tools, claimed: &Claimed) -> Result<()> {
    let Some(request) = load(domain, &claimed.key).await? else {
        return jobs::complete(domain, claimed).await;
    };
    if let Err(error) = page_copy_charges::charge(domain, &request.row).await {
        return fail(domain, &request, error, claimed).await;
    }
    match create(domain, tools, &request).await {
        Ok(created) => finish(domain, &request, created, claimed).await,
        Err(error) => fail(domain, &request, error, claimed).await,
    }
}

/// Stores a created copy and records it.
async fn finish(
    domain: &Domain,
    request: &CopyRequest,
    created: CreatedCopy,
    claimed: &Claimed,
) -> Result<()> {
    let stored = store(domain, request.account_id, created).await?;
    conclude(domain, request, Ok(stored), Some(claimed)).await
}

/// Records an error of the page, so that the person decides whether to try again. If a part of the service
/// was unavailable, returns the error, so that the job is retried.
async fn fail(domain: &Domain, request: &CopyRequest, error: Error, claimed: &Claimed) -> Result<()> {
    if is_refunded(error.code) {
        return Err(error);
    }
    conclude(domain, request, Err(error.code), Some(claimed)).await
}

/// Records that a copy was given up.
pub(crate) async fn give_up(domain: &Domain, key: &str, code: Code) -> Result<()> {
    match load(domain, key).await? {
        Some(request) => conclude(domain, &request, Err(code), None).await,
        None => Ok(()),
    }
}

/// Loads the request of a job. `None` if no request is waiting.
async fn load(domain: &Domain, key: &str) -> Result<Option<CopyRequest>> {
    let Some((item_id, format)) = parse_key(key) else { return Ok(None) };
    let connection = domain.db().write();
    let Some(item) = library_item::Entity::of_any_owner(item_id).one(connection).await? else {
        return Ok(None);
    };
    let account_id = item.account_id;
    let row = page_copies::find(connection, account_id, (item_id, format)).await?;
    let waiting = row.filter(|row| row.state == PageCopyState::Waiting);
    Ok(waiting.map(|row| CopyRequest { account_id, item_id, format, url: item.url, row }))
}

async fn create(domain: &Domain, tools: &Tools, request: &CopyRequest) -> Result<CreatedCopy> {
    let no_browser = || Error::new(Code::CapacityExhausted, "This worker has no browser.").retry_after(60);
    let renderer = tools.renderer.as_ref().ok_or_else(no_browser)?;
    let captures = Captures {
        screenshot: request.format == PageCopyFormat::Screenshot,
        pdf: request.format == PageCopyFormat::Pdf,
        page: request.format == PageCopyFormat::Html,
    };
    let caller = Some(request.account_id.to_string());
    let page = RenderRequest::page(&request.url, RENDER_DEADLINE);
    let page = RenderRequest { captures, caller, dismiss_cookie_notices: true, ..page };
    let rendered = renderer.render(&page).await;
    let PageRendering { url, status, html, captured, warnings, .. } =
        rendered.map_err(|error| Error::from(of_render_error(&error)))?;
    // An error page is not the page of the item.
    let served = Fetched::of_rendered(url.clone(), status, html);
    served.map_err(|error| Error::from(SourceFailure::from(&error)))?;
    let missing = || Error::internal("the browser returned no file");
    match request.format {
        PageCopyFormat::Screenshot => {
            let limit = format!("The picture has only the first {MAX_SCREENSHOT_HEIGHT} pixels of the page.");
            let statement = with_warnings(captured.is_screenshot_cut.then_some(limit), &warnings);
            Ok(CreatedCopy { bytes: captured.screenshot.ok_or_else(missing)?, statement })
        }
        PageCopyFormat::Pdf => {
            let statement = with_warnings(None, &warnings);
            Ok(CreatedCopy { bytes: captured.pdf.ok_or_else(missing)?, statement })
        }
        PageCopyFormat::Html => {
            let source = page_source(url.as_str(), captured.page.ok_or_else(missing)?, domain.now());
            let sandbox = tools.sandbox.for_caller(Some(request.account_id.to_string()));
            let copied = sandbox.copy_page(source).await;
            let copied = copied.map_err(|error| Error::from(of_sandbox_error(&error)))?;
            let copy = copied.map_err(|reason| Error::new(Code::UnsupportedContent, reason))?;
            let statement = with_warnings(copy.omissions.statement(), &warnings);
            Ok(CreatedCopy { bytes: copy.html.into_bytes(), statement })
        }
    }
}

/// Stores the file. It is deleted unless it is assigned to its item.
async fn store(domain: &Domain, account_id: AccountId, created: CreatedCopy) -> Result<UnassignedCopy> {
    let (blob, mut upload) = begin_unassigned(domain, account_id, UNASSIGNED_LIFETIME).await?;
    upload.push(&created.bytes).await?;
    let stored = upload.finish().await?;
    Ok(UnassignedCopy { blob, stored, statement: created.statement })
}

/// Records the result of a request and completes its job in the same transaction. Ignores a request that was
/// withdrawn or served by another run.
async fn conclude(
    domain: &Domain,
    request: &CopyRequest,
    result: std::result::Result<UnassignedCopy, Code>,
    claimed: Option<&Claimed>,
) -> Result<()> {
    let mut transaction = match LibraryTransaction::begin(domain, request.account_id).await {
        Ok(transaction) => transaction,
        // The items were deleted with the account.
        Err(error) if error.code == Code::NotFound => {
            return match claimed {
                Some(claimed) => jobs::complete(domain, claimed).await,
                None => Ok(()),
            };
        }
        Err(error) => return Err(error),
    };
    write(&mut transaction, request, result).await?;
    if let Some(claimed) = claimed {
        jobs::complete_in(transaction.db(), domain, claimed).await?;
    }
    transaction.commit().await
}

async fn write(
    transaction: &mut LibraryTransaction,
    request: &CopyRequest,
    result: std::result::Result<UnassignedCopy, Code>,
) -> Result<()> {
    let (account_id, item_id) = (request.account_id, request.item_id);
    let row = page_copies::find(transaction.db(), account_id, (item_id, request.format)).await?;
    let item = item::row(transaction.db(), account_id, item_id).await?;
    let (Some(mut row), Some(item)) = (row, item) else { return Ok(()) };
    if row.state != PageCopyState::Waiting {
        return Ok(());
    }
    if result.as_ref().is_err_and(|code| is_refunded(*code)) {
        page_copy_charges::refund(transaction, &row);
    }
    let error = match result {
        Ok(copy) => match assign(transaction, &copy, item_id).await {
            Ok(size) => {
                let checksum = copy.stored.checksum();
                let file = NewCopyFile { blob: copy.blob, size, checksum, statement: copy.statement };
                page_copies::replace_file(transaction, &mut row, item, file).await?;
                None
            }
            Err(error) if error.code == Code::StorageLimitReached => Some(error.code),
            Err(error) => return Err(error),
        },
        Err(code) => Some(code),
    };
    row.state = if error.is_none() { PageCopyState::Ready } else { PageCopyState::Failed };
    row.error_code = error.map(|code| code.as_str().to_owned());
    page_copies::put(transaction.db(), row).await
}

/// Assigns the stored file to its item. Returns its size in bytes.
async fn assign(transaction: &mut LibraryTransaction, copy: &UnassignedCopy, item_id: ItemId) -> Result<i64> {
    let size = i64::try_from(copy.stored.size).unwrap_or(i64::MAX);
    retain_unassigned(transaction, &copy.blob, size).await?;
    assign_retained(transaction, &copy.blob, item_id).await?;
    Ok(size)
}
