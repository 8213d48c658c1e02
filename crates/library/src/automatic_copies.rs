//! Automatic page copies: the choice of formats of an account, and the requests that a save writes for a new item whose
//! page is fetched. Copies of imported items are requested in the background (`imported_copies`).

use articles::{Render, require_browser};
use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_words::PageCopyFormat;

use crate::copy_choice::{CopyChoice, CopyChoiceUpdate};
use crate::copy_queue::{CopyQueue, record_refusal};
use crate::imported_copies;
use crate::transaction::{LibraryTransaction, committed_state};
use kernel::statement::execute;
use kernel::{Domain, Result};

/// Returns an account's choice of automatic copies.
#[boxed]
pub async fn automatic_copies(domain: &Domain, account_id: AccountId) -> Result<CopyChoice> {
    let state = committed_state(domain.db().read(), account_id).await?;
    Ok(state.map(|state| CopyChoice::of(&state)).unwrap_or_default())
}

/// Changes an account's choice of automatic copies, and returns it. If the service has no browser, the choice is stored
/// but has no effect.
#[boxed]
pub async fn update_automatic_copies(
    domain: &Domain,
    account_id: AccountId,
    update: CopyChoiceUpdate,
) -> Result<CopyChoice> {
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let known = transaction.copy_choice();
    let requested_formats = update.formats.unwrap_or(known.formats);
    let formats: Vec<PageCopyFormat> =
        PageCopyFormat::ALL.iter().copied().filter(|format| requested_formats.contains(format)).collect();
    let copies_imports = update.copies_imports.unwrap_or(known.copies_imports) && !formats.is_empty();
    let due_at = if copies_imports { Some(imported_copies::next_due(&transaction).await?) } else { None };
    let words: Vec<&str> = formats.iter().map(|format| format.as_str()).collect();
    let sql = "UPDATE library_account SET copy_formats = $2, copy_imports_due_at = $3 WHERE account_id = $1";
    let values = [account_id.into(), words.join(",").into(), due_at.into()];
    execute(transaction.db(), sql, values).await?;
    transaction.commit().await?;
    Ok(CopyChoice { formats, copies_imports })
}

/// Requests the page copies of a new item in the formats that its account chose. If the storage or the queue is full,
/// records the copy as failed.
pub(crate) async fn request_copies(
    domain: &Domain,
    transaction: &mut LibraryTransaction,
    item_id: ItemId,
) -> Result<()> {
    let formats = transaction.copy_choice().formats;
    if formats.is_empty() || require_browser(domain, Render::Always).is_err() {
        return Ok(());
    }
    let mut queue = CopyQueue::open(domain, transaction).await?;
    for format in formats {
        if let Some(code) = queue.request(transaction, (item_id, format), None).await? {
            record_refusal(transaction, (item_id, format), code).await?;
        }
    }
    Ok(())
}
