//! Page copies that a client, such as the browser extension, sends as HTML: the page as the person saw it. The
//! extraction process writes the copy by the rules for copies of rendered pages, so that it runs no scripts and loads
//! nothing. The storage is reserved before the copy is stored.

use std::time::Duration;

use articles::of_sandbox_error;
use async_recursion::async_recursion as boxed;
use bytes::Bytes;
use entities::ids::{AccountId, ItemId};
use entities::library_words::{PageCopyFormat, PageCopyState};
use extract::page_copy::{HtmlCopy, MAX_DOCUMENT_BYTES, PageSource};
use extract::sandbox::Pool;
use permits::{KeyedPermit, Pace};

use crate::account_concurrency::sent_copies;
use crate::files::{assign_retained, begin_reserved, give_up};
use crate::item;
use crate::page_copies::{self, NewCopyFile, PageCopy, file_of};
use crate::page_copy_creation::UNASSIGNED_LIFETIME;
use crate::transaction::LibraryTransaction;
use kernel::blobs::Upload;
use kernel::clock::minute_in_words;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result};

/// Maximum number of bytes of a page that a client sends.
pub const MAX_SENT_PAGE_BYTES: usize = MAX_DOCUMENT_BYTES;
/// Maximum time for the extraction process, including the wait for a free one.
const CONVERSION_TIMEOUT: Duration = Duration::from_secs(30);
/// `Retry-After` if the account is sending other copies, or the extraction processes are busy, in seconds.
const RETRY_SECONDS: u32 = 5;
/// Number of bytes that are written to the store at a time.
const PIECE_BYTES: usize = 1 << 20;

/// Page that a client sends.
#[derive(Debug)]
pub struct SentPage {
    /// HTML in UTF-8. Pictures and fonts are `data:` URLs; shadow roots are declarative.
    pub html: Bytes,
    /// True if the client left out a part of the page.
    pub is_cut: bool,
}

/// Result of [`PageCopyUpload::store`].
#[derive(Debug)]
pub struct PutPageCopy {
    pub copy: PageCopy,
    /// True if the item had no HTML copy before.
    pub is_first: bool,
}

/// Copy that a client is about to send. Dropping it allows the account to send another copy.
#[derive(Debug)]
pub struct PageCopyUpload {
    domain: Domain,
    account_id: AccountId,
    item_id: ItemId,
    url: String,
    _permit: KeyedPermit<AccountId>,
}

/// Starts receiving a page copy of an item, before the body of the request is read.
///
/// # Errors
/// `not_found`; `unsupported_content` if the item has no web address, or the format is not HTML; `rate_limited` while
/// other copies of the account are being sent.
#[boxed]
pub async fn begin_page_copy(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
    format: PageCopyFormat,
) -> Result<PageCopyUpload> {
    let item = item::row(domain.db().read(), account_id, item_id).await?;
    let item = item.ok_or_else(|| not_found("item"))?;
    if format != PageCopyFormat::Html {
        let message = "Only copies in HTML can be sent. A browser of the service creates the others.";
        return Err(Error::new(Code::UnsupportedContent, message));
    }
    page_copies::require_page(&item)?;
    let Some(permit) = sent_copies(domain).try_acquire(account_id) else {
        let message = "Other copies of this account are being sent. Retry later.";
        return Err(Error::new(Code::RateLimited, message).retry_after(RETRY_SECONDS));
    };
    Ok(PageCopyUpload { domain: domain.clone(), account_id, item_id, url: item.url, _permit: permit })
}

impl PageCopyUpload {
    /// Stores the page copy. It replaces the HTML copy of the item, and withdraws a pending request for an HTML copy.
    /// An identical copy changes nothing. If an error is returned, the item is unchanged.
    ///
    /// # Errors
    /// `invalid_request` if the page is not UTF-8; `unsupported_content` if it exceeds a limit;
    /// `storage_limit_reached`; `store_full`; `capacity_exhausted`; `not_found` if the item was deleted.
    #[boxed]
    pub async fn store(self, sandbox: &Pool, page: SentPage) -> Result<PutPageCopy> {
        let copy = self.convert(sandbox, page).await?;
        let statement = copy.omissions.statement();
        let size = i64::try_from(copy.html.len()).unwrap_or(i64::MAX);
        let (blob, upload) = self.reserve(size).await?;
        let put = match write(upload, copy.html.as_bytes()).await {
            Ok(checksum) => {
                let file = NewCopyFile { blob: blob.clone(), size, checksum, statement };
                self.assign(file).await
            }
            Err(error) => Err(error),
        };
        let is_assigned = matches!(&put, Ok((_, true)));
        if !is_assigned {
            give_up(&self.domain, self.account_id, &blob).await;
        }
        put.map(|(put, _)| put)
    }

    /// Converts the page to a copy in the extraction process.
    async fn convert(&self, sandbox: &Pool, page: SentPage) -> Result<HtmlCopy> {
        let text = tokio::task::spawn_blocking(move || String::from_utf8(page.html.into()));
        let text = text.await.map_err(Error::internal)?;
        let mut html = text.map_err(|_| Error::new(Code::InvalidRequest, "The page is not UTF-8."))?;
        if html.starts_with('\u{feff}') {
            html.remove(0);
        }
        let source = PageSource {
            url: self.url.clone(),
            base_url: self.url.clone(),
            date: minute_in_words(self.domain.now()),
            html,
            resources: Vec::new(),
            is_cut: page.is_cut,
        };
        let sandbox = sandbox.for_caller(Some(self.account_id.to_string())).at_pace(Pace::Interactive);
        let copied = tokio::time::timeout(CONVERSION_TIMEOUT, sandbox.copy_page(source)).await;
        let copied = copied.map_err(|_| {
            let message = "There is no capacity to read pages at the moment.";
            Error::new(Code::CapacityExhausted, message).retry_after(RETRY_SECONDS)
        })?;
        let copied = copied.map_err(|error| Error::from(of_sandbox_error(&error)))?;
        copied.map_err(|reason| {
            let message = format!("The page is too complex to be read safely: {reason}.");
            Error::new(Code::UnsupportedContent, message)
        })
    }

    async fn reserve(&self, size: i64) -> Result<(String, Upload)> {
        let transaction = LibraryTransaction::begin(&self.domain, self.account_id).await?;
        let copy = (self.item_id, PageCopyFormat::Html);
        let known = page_copies::find(transaction.db(), self.account_id, copy).await?;
        let replaced = known.as_ref().and_then(file_of).map_or(0, |file| file.size);
        begin_reserved(&self.domain, transaction, (size, replaced), UNASSIGNED_LIFETIME).await
    }

    /// Assigns the file to its item. Returns false if the item already has an identical file.
    async fn assign(&self, file: NewCopyFile) -> Result<(PutPageCopy, bool)> {
        let (account_id, item_id) = (self.account_id, self.item_id);
        let mut transaction = LibraryTransaction::begin(&self.domain, account_id).await?;
        let item = item::row(transaction.db(), account_id, item_id).await?;
        let item = item.ok_or_else(|| not_found("item"))?;
        let copy = (item_id, PageCopyFormat::Html);
        let known = page_copies::find(transaction.db(), account_id, copy).await?;
        let is_first = known.as_ref().and_then(file_of).is_none();
        let withdrawn = known.clone();
        let mut row = known.unwrap_or_else(|| page_copies::blank(&transaction, copy));
        let is_new = row.checksum.as_ref() != Some(&file.checksum);
        if is_new {
            assign_retained(&mut transaction, &file.blob, item_id).await?;
            page_copies::replace_file(&mut transaction, &mut row, item, file).await?;
        }
        // A worker that is creating a copy discards it, because no request is waiting any more.
        if is_new || row.state != PageCopyState::Ready {
            if let Some(withdrawn) = &withdrawn {
                page_copies::withdraw(&mut transaction, withdrawn).await?;
            }
            (row.state, row.error_code, row.requested_at) = (PageCopyState::Ready, None, transaction.now);
            page_copies::put(transaction.db(), row.clone()).await?;
            transaction.commit().await?;
        }
        let copy = PageCopy::of(row).ok_or_else(|| not_found("copy"))?;
        Ok((PutPageCopy { copy, is_first }, is_new))
    }
}

/// Writes the bytes to the store. Returns their checksum.
async fn write(mut upload: Upload, bytes: &[u8]) -> Result<String> {
    for piece in bytes.chunks(PIECE_BYTES) {
        upload.push(piece).await?;
    }
    Ok(upload.finish().await?.checksum())
}
