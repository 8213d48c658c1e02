//! Requests page copies of several items, and deletes the copies that one such request created. They are limited and
//! charged like automatic copies. Existing copies are not replaced, so that the request can be undone.

use articles::{Address, Render, require_browser};
use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_page_copy;
use entities::library_words::PageCopyFormat;

use crate::copy_queue::CopyQueue;
use crate::item::{self, Item};
use crate::page_copies::{self, require_page};
use crate::transaction::LibraryTransaction;
use kernel::{Code, Domain, Millis, Result};

/// Result of a request for page copies of several items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkCopies {
    /// Time of the request, which identifies the copies for [`withdraw_page_copies`].
    pub requested_at: Millis,
    /// Outcomes, in the order of the item ids.
    pub copies: Vec<BulkCopy>,
    /// Number of ids for which the account has no item.
    pub missing: u64,
}

/// Outcome of a bulk request for one item and format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkCopy {
    pub item_id: ItemId,
    pub format: PageCopyFormat,
    /// Reason why no copy was requested; `conflict` if the item has one or one is pending. `None` if it was requested.
    pub refusal: Option<Code>,
}

/// Requests page copies of several items. If no formats are given, uses the account's formats of automatic copies, or
/// HTML if there are none. Duplicate ids are ignored.
///
/// # Errors
/// `unsupported_content` if the service has no browser.
#[boxed]
pub async fn request_page_copies(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
    formats: &[PageCopyFormat],
) -> Result<BulkCopies> {
    require_browser(domain, Render::Always)?;
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let formats = chosen_formats(&transaction, formats);
    let mut items = item::find_all(transaction.db(), account_id, &ids).await?;
    items.sort_unstable_by_key(|item| item.id);
    let rows = page_copies::rows_of(transaction.db(), account_id, &ids).await?;
    let mut queue = CopyQueue::open(domain, &transaction).await?;
    let mut copies = Vec::with_capacity(items.len() * formats.len());
    for item in &items {
        for format in &formats {
            let known = rows.iter().find(|row| row.item_id == item.id && row.format == format.as_str());
            let refusal = match refusal_of(domain, item, known) {
                Some(code) => Some(code),
                None => queue.request(&mut transaction, (item.id, *format), known.cloned()).await?,
            };
            copies.push(BulkCopy { item_id: item.id, format: *format, refusal });
        }
    }
    let requested_at = transaction.now;
    transaction.commit().await?;
    Ok(BulkCopies { requested_at, copies, missing: (ids.len() - items.len()) as u64 })
}

fn chosen_formats(transaction: &LibraryTransaction, sent: &[PageCopyFormat]) -> Vec<PageCopyFormat> {
    let chosen = if sent.is_empty() { transaction.copy_choice().formats } else { sent.to_vec() };
    if chosen.is_empty() {
        return vec![PageCopyFormat::Html];
    }
    PageCopyFormat::ALL.iter().copied().filter(|format| chosen.contains(format)).collect()
}

/// Returns the reason why the page of an item cannot be copied. `known` is the row of its copy, if it has one.
fn refusal_of(domain: &Domain, item: &Item, known: Option<&library_page_copy::Model>) -> Option<Code> {
    if known.is_some_and(|row| row.blob.is_some() || page_copies::is_waiting(row, domain.now())) {
        return Some(Code::JobConflict);
    }
    let address = require_page(&item.row).and_then(|()| Address::parse(domain, &item.url).map(drop));
    address.err().map(|error| error.code)
}

/// Deletes the copies in a format that [`request_page_copies`] requested at `requested_at`, or withdraws the requests.
/// Copies that were requested or uploaded since then remain. Returns the number of deleted copies.
#[boxed]
pub async fn withdraw_page_copies(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
    (format, requested_at): (PageCopyFormat, Millis),
) -> Result<u64> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let mut rows = page_copies::rows_of(transaction.db(), account_id, ids).await?;
    rows.retain(|row| row.format == format.as_str() && row.requested_at == requested_at && row.is_automatic);
    for row in &rows {
        page_copies::delete_in(&mut transaction, row).await?;
    }
    transaction.commit().await?;
    Ok(rows.len() as u64)
}
