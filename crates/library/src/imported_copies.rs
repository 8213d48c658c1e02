//! Page copies of imported items, for accounts that chose them: each day, a job of the account requests copies of the
//! newest imported items without copies, up to a maximum number of copies.

use articles::{Address, Render, require_browser};
use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_page_copy;
use entities::library_words::{PageCopyFormat, PageCopyState};
use jobs::{Claimed, JobKind, Submitted};
use sea_orm::{ConnectionTrait, Value};

use crate::copy_choice::CopyChoice;
use crate::copy_queue::{CopyQueue, record_refusal};
use crate::due_accounts::DueWork;
use crate::item::{self, IS_IMPORTED};
use crate::page_copies::{self, LOST_AFTER};
use crate::page_copy_charges::COPY_EXTRACTIONS;
use crate::transaction::{LibraryTransaction, committed_state};
use kernel::clock::{DAY, HOUR};
use kernel::statement::{execute, placeholders, scalar_optional, statement};
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Millis, Result};

const DUE: DueWork = DueWork { column: "copy_imports_due_at", kind: JobKind::ImportedCopies, lease: HOUR };

/// Maximum number of copies of imported items that an account requests per day.
const MAX_PER_DAY: u32 = 50;
/// Divisor of the daily fresh extractions. These copies use at most this share, so that some fresh extractions remain
/// for other background work.
const EXTRACTION_SHARE: u32 = 4;
/// Errors after which an automatic copy is requested again on another day.
const PASSING: [Code; 5] = [
    Code::CapacityExhausted,
    Code::FreshExtractionLimit,
    Code::PlanRequired,
    Code::ServiceUnavailable,
    Code::StorageLimitReached,
];

/// Returns the maximum number of copies of imported items that an account with this plan requests per day.
pub fn imported_copies_per_day(plan: &TierLimits) -> u32 {
    MAX_PER_DAY.min(plan.fresh_extractions_per_day / EXTRACTION_SHARE / COPY_EXTRACTIONS)
}

/// Returns the next due time after the account changed its choice: the pending time or, without one, a day after the
/// last request, but not before now. Repeated changes of the choice therefore cannot exceed the daily maximum.
pub(crate) async fn next_due(transaction: &LibraryTransaction) -> Result<Millis> {
    if let Some(pending) = transaction.copy_imports_due_at() {
        return Ok(pending);
    }
    let sql = format!(
        "SELECT MAX(c.requested_at) FROM library_page_copy c JOIN library_item i ON i.id = c.item_id \
         WHERE c.account_id = $1 AND c.is_automatic AND {IS_IMPORTED}"
    );
    let last: Option<Millis> =
        scalar_optional(transaction.db(), &sql, [transaction.account_id.into()]).await?;
    Ok(last.map_or(transaction.now, |last| transaction.now.max(last + DAY)))
}

/// Submits jobs for the accounts that are due, unless the service has no browser.
pub(crate) async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    if require_browser(domain, Render::Always).is_err() {
        return Ok(Vec::new());
    }
    DUE.claim(domain).await
}

/// Runs the claimed job that requests the copies of an account for a day. The items are selected outside the
/// transaction, because a library can have many items without missing copies.
#[boxed]
pub(crate) async fn run(domain: &Domain, claimed: &Claimed) -> Result<()> {
    let account_id: AccountId =
        claimed.key.parse().map_err(|_| Error::internal("the job key is not an account id"))?;
    let connection = domain.db().read();
    let state = committed_state(connection, account_id).await?;
    let choice = state.as_ref().map(CopyChoice::of).unwrap_or_default();
    let ids = candidates(connection, account_id, &choice.formats, domain.now()).await?;
    let mut transaction = match LibraryTransaction::begin(domain, account_id).await {
        Ok(transaction) => transaction,
        // The account was deleted, and its items with it.
        Err(error) if error.code == Code::NotFound => return jobs::complete(domain, claimed).await,
        Err(error) => return Err(error),
    };
    if transaction.copy_choice().copies_imports {
        request_copies(domain, &mut transaction, &ids).await?;
    }
    jobs::complete_in(transaction.db(), domain, claimed).await?;
    transaction.commit().await
}

/// Requests copies of items for a day. If the storage or the queue is full, the remaining copies are requested on
/// another day.
async fn request_copies(domain: &Domain, transaction: &mut LibraryTransaction, ids: &[ItemId]) -> Result<()> {
    let next_due = transaction.now + DAY;
    let sql = "UPDATE library_account SET copy_imports_due_at = $2 WHERE account_id = $1";
    execute(transaction.db(), sql, [transaction.account_id.into(), next_due.into()]).await?;
    let mut queue = CopyQueue::open(domain, transaction).await?;
    let missing = missing_copies(transaction, ids).await?;
    for (copy, url, known) in missing {
        if let Err(error) = Address::parse(domain, &url) {
            record_refusal(transaction, copy, error.code).await?;
        } else if queue.request(transaction, copy, known).await?.is_some() {
            break;
        }
    }
    Ok(())
}

/// Copy to request, URL of its page, and its row if it has one.
type MissingCopy = ((ItemId, PageCopyFormat), String, Option<library_page_copy::Model>);

/// Returns the copies that these items lack, up to the daily maximum.
async fn missing_copies(transaction: &LibraryTransaction, ids: &[ItemId]) -> Result<Vec<MissingCopy>> {
    let (connection, account_id) = (transaction.db(), transaction.account_id);
    let rows = page_copies::rows_of(connection, account_id, ids).await?;
    let items = item::find_all(connection, account_id, ids).await?;
    let formats = transaction.copy_choice().formats;
    let mut missing = Vec::new();
    for item in ids.iter().filter_map(|id| items.iter().find(|item| item.id == *id)) {
        for format in &formats {
            let known = rows.iter().find(|row| row.item_id == item.id && row.format == format.as_str());
            if known.is_none_or(|row| is_repeated(row, transaction.now)) {
                missing.push(((item.id, *format), item.url.clone(), known.cloned()));
            }
        }
    }
    missing.truncate(imported_copies_per_day(&transaction.plan) as usize);
    Ok(missing)
}

/// Returns true if an automatic copy is requested again: it failed with a temporary error, or its job was lost.
fn is_repeated(row: &library_page_copy::Model, now: Millis) -> bool {
    let code = row.error_code.as_deref();
    let passes = match row.state {
        PageCopyState::Failed => {
            code.is_some_and(|code| PASSING.iter().any(|passing| passing.as_str() == code))
        }
        PageCopyState::Waiting => !page_copies::is_waiting(row, now),
        PageCopyState::Ready => false,
    };
    row.is_automatic && row.blob.is_none() && passes
}

/// Returns imported items that have a page and lack a copy, most recently saved first. Items for which a copy was
/// requested before come last, so that pages that fail every day do not delay the others. The condition on copies is
/// the same as in [`is_repeated`].
async fn candidates(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    formats: &[PageCopyFormat],
    now: Millis,
) -> Result<Vec<ItemId>> {
    if formats.is_empty() {
        return Ok(Vec::new());
    }
    let requested = format!(
        "FROM library_page_copy c WHERE c.account_id = i.account_id AND c.item_id = i.id AND c.format IN ({})",
        placeholders(5, formats.len())
    );
    let sql = format!(
        "SELECT i.id FROM library_item i WHERE i.account_id = $1 AND {IS_IMPORTED} AND i.url LIKE 'http%' \
         AND (SELECT COUNT(*) {requested} AND NOT (c.is_automatic AND c.blob IS NULL \
         AND (c.state = $2 AND c.requested_at <= $3 OR c.state = $4 AND COALESCE(c.error_code, '') IN ({})))) < {} \
         AND NOT EXISTS (SELECT 1 FROM library_pending_deletion d WHERE d.item_id = i.id) \
         ORDER BY EXISTS (SELECT 1 {requested}), i.saved_at DESC, i.id DESC LIMIT {MAX_PER_DAY}",
        placeholders(5 + formats.len(), PASSING.len()),
        formats.len()
    );
    let (waiting, failed) = (PageCopyState::Waiting.as_str(), PageCopyState::Failed.as_str());
    let mut values: Vec<Value> =
        vec![account_id.into(), waiting.into(), (now - LOST_AFTER).into(), failed.into()];
    values.extend(formats.iter().map(|format| Value::from(format.as_str())));
    values.extend(PASSING.map(|code| Value::from(code.as_str())));
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}
