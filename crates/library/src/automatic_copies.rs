//! Automatic copies of pages: the formats that an account chose, and the requests that a save writes for a new item
//! whose page is fetched. Their jobs have a low priority, and charge the copies when they run.

use articles::{Render, require_browser};
use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_page_copy;
use entities::library_words::{PageCopyFormat, PageCopyState};
use jobs::{JobKind, NewJob, Priority};

use crate::page_copies::{self, key_of};
use crate::transaction::{LibraryTransaction, committed_state};
use kernel::statement::execute;
use kernel::{Code, Domain, Result};

/// Maximum number of automatic copies of an account that wait, so that an account uses only a part of the queue.
const MAX_WAITING: u32 = 150;

/// Returns the formats in which the pages of new items are copied. Empty if no page is.
#[boxed]
pub async fn automatic_copies(domain: &Domain, account_id: AccountId) -> Result<Vec<PageCopyFormat>> {
    let state = committed_state(domain.db().read(), account_id).await?;
    Ok(state.map(|state| parse_formats(&state.copy_formats)).unwrap_or_default())
}

/// Sets the formats in which the pages of new items are copied. Without a browser, the choice is stored and has no
/// effect.
#[boxed]
pub async fn set_automatic_copies(
    domain: &Domain,
    account_id: AccountId,
    formats: &[PageCopyFormat],
) -> Result<()> {
    let chosen = PageCopyFormat::ALL.iter().filter(|format| formats.contains(format));
    let words: Vec<&str> = chosen.map(|format| format.as_str()).collect();
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let sql = "UPDATE library_account SET copy_formats = $2 WHERE account_id = $1";
    execute(transaction.db(), sql, [account_id.into(), words.join(",").into()]).await?;
    transaction.commit().await
}

/// Parses the formats in the row of a library.
fn parse_formats(words: &str) -> Vec<PageCopyFormat> {
    words.split(',').filter_map(PageCopyFormat::parse).collect()
}

/// Requests the copies of the page of a new item that its account chose. A copy for which there is no storage or no
/// capacity is recorded as failed.
pub(crate) async fn request_copies(
    domain: &Domain,
    transaction: &LibraryTransaction,
    item_id: ItemId,
) -> Result<()> {
    let formats = parse_formats(transaction.copy_formats());
    if formats.is_empty() || require_browser(domain, Render::Always).is_err() {
        return Ok(());
    }
    for format in formats {
        let refusal = submit(domain, transaction, (item_id, format)).await?;
        let row = library_page_copy::Model {
            state: if refusal.is_some() { PageCopyState::Failed } else { PageCopyState::Waiting },
            error_code: refusal.map(|code| code.as_str().to_owned()),
            is_automatic: true,
            ..page_copies::blank(transaction, (item_id, format))
        };
        page_copies::put(transaction.db(), row).await?;
    }
    Ok(())
}

/// Submits the job of a copy. Returns the reason if there is no storage or no capacity.
async fn submit(
    domain: &Domain,
    transaction: &LibraryTransaction,
    (item_id, format): (ItemId, PageCopyFormat),
) -> Result<Option<Code>> {
    const KIND: JobKind = JobKind::LibraryPageCopy;
    if let Err(error) = transaction.require_capacity() {
        return Ok(Some(error.code));
    }
    let (connection, account_id) = (transaction.db(), transaction.account_id);
    let waiting = jobs::live_count(connection, (KIND, Priority::Low), account_id, MAX_WAITING).await?;
    if waiting >= u64::from(MAX_WAITING) {
        return Ok(Some(Code::CapacityExhausted));
    }
    // The caller that commits cannot push the job, so the next tick finds it.
    let job = NewJob::new(KIND, key_of(item_id, format))
        .owner(account_id)
        .priority(Priority::Low)
        .run_at(transaction.now + 1);
    match jobs::submit(connection, domain, job).await {
        Ok(_) => Ok(None),
        Err(error) if error.code == Code::CapacityExhausted => Ok(Some(error.code)),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_the_row_are_parsed_and_unknown_ones_are_ignored() {
        assert!(parse_formats("").is_empty());
        assert_eq!(parse_formats("html,pdf"), [PageCopyFormat::Html, PageCopyFormat::Pdf]);
        assert_eq!(parse_formats("gif,screenshot"), [PageCopyFormat::Screenshot]);
    }
}
