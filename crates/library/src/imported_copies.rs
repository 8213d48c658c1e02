//! Copies of the pages of imported items, if the account chose so: each day, the newest imported items without copies are
//! chosen, up to a maximum number of copies.

use articles::{Address, Render, require_browser};
use entities::ids::{AccountId, ItemId};
use entities::library_account::{Column, Entity};
use entities::library_page_copy;
use entities::library_words::{PageCopyFormat, PageCopyState};
use jobs::Engine;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value};

use crate::copy_queue::{CopyQueue, record_refusal};
use crate::item::{self, IS_IMPORTED};
use crate::page_copies;
use crate::page_copy_charges::COPY_EXTRACTIONS;
use crate::transaction::LibraryTransaction;
use kernel::clock::DAY;
use kernel::statement::{execute, placeholders, scalar_optional, statement};
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Millis, Result};

/// Maximum number of copies of imported items that an account requests in a day.
const MAX_PER_DAY: u32 = 50;
/// Divisor of the daily fresh extractions. These copies use at most this part, so that some of the fresh
/// extractions for background work remain.
const EXTRACTION_SHARE: u32 = 4;
/// Maximum number of accounts of one tick.
const ACCOUNTS_PER_TICK: u64 = 5;
/// Reasons after which an automatic copy is requested again on another day.
const PASSING: [Code; 5] = [
    Code::CapacityExhausted,
    Code::FreshExtractionLimit,
    Code::PlanRequired,
    Code::ServiceUnavailable,
    Code::StorageLimitReached,
];

/// Returns the maximum number of copies of imported items that an account with this plan requests in a day.
pub fn imported_copies_per_day(plan: &TierLimits) -> u32 {
    MAX_PER_DAY.min(plan.fresh_extractions_per_day / EXTRACTION_SHARE / COPY_EXTRACTIONS)
}

/// Returns the time at which items are next chosen after the choice was changed: the pending time or, without
/// one, a day after the last request, but not before now. Repeated changes of the choice therefore do not
/// exceed the daily maximum.
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

/// Requests copies for the accounts that are due. Returns 0, because it pushes no jobs: the next tick pushes
/// them.
pub(crate) async fn claim_due(engine: &Engine) -> Result<u64> {
    let domain = engine.domain();
    if require_browser(domain, Render::Always).is_err() {
        return Ok(0);
    }
    let due: Vec<AccountId> = Entity::find()
        .select_only()
        .column(Column::AccountId)
        .filter(Column::CopyImportsDueAt.lte(domain.now()))
        .order_by_asc(Column::CopyImportsDueAt)
        .limit(ACCOUNTS_PER_TICK)
        .into_tuple()
        .all(domain.db().read())
        .await?;
    for account_id in due {
        match request_copies(domain, account_id).await {
            Ok(()) => {}
            // The account was deleted.
            Err(error) if error.code == Code::NotFound => {}
            // A failure does not stop the other accounts. This account is still due at the next tick.
            Err(error) => {
                tracing::error!(%error, account = %account_id, "failed to request copies of imported items");
            }
        }
    }
    Ok(0)
}

/// Requests the copies of an account for a day, unless another process has done so. Copies for which there is no storage
/// or no capacity are requested on another day.
async fn request_copies(domain: &Domain, account_id: AccountId) -> Result<()> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    if transaction.copy_imports_due_at().is_none_or(|due_at| due_at > transaction.now) {
        return Ok(());
    }
    let sql = "UPDATE library_account SET copy_imports_due_at = $2 WHERE account_id = $1";
    execute(transaction.db(), sql, [account_id.into(), (transaction.now + DAY).into()]).await?;
    let (formats, limit) = (transaction.copy_choice().formats, imported_copies_per_day(&transaction.plan));
    let mut queue = CopyQueue::open(domain, &transaction).await?;
    let missing = missing_copies(&transaction, &formats, limit).await?;
    for (copy, url, known) in missing {
        if let Err(error) = Address::parse(domain, &url) {
            record_refusal(&transaction, copy, error.code).await?;
        } else if queue.request(&mut transaction, copy, known).await?.is_some() {
            break;
        }
    }
    transaction.commit().await
}

/// Copy that is to be requested, the address of its page, and its row if there is one.
type MissingCopy = ((ItemId, PageCopyFormat), String, Option<library_page_copy::Model>);

/// Returns at most `limit` copies that imported items lack, those of the most recently saved items first.
async fn missing_copies(
    transaction: &LibraryTransaction,
    formats: &[PageCopyFormat],
    limit: u32,
) -> Result<Vec<MissingCopy>> {
    let (connection, account_id) = (transaction.db(), transaction.account_id);
    let ids = candidates(transaction, formats, limit).await?;
    let rows = page_copies::rows_of(connection, account_id, &ids).await?;
    let items = item::find_all(connection, account_id, &ids).await?;
    let mut missing = Vec::new();
    for item in ids.iter().filter_map(|id| items.iter().find(|item| item.id == *id)) {
        for format in formats {
            let known = rows.iter().find(|row| row.item_id == item.id && row.format == format.as_str());
            if known.is_none_or(is_repeated) {
                missing.push(((item.id, *format), item.url.clone(), known.cloned()));
            }
        }
    }
    missing.truncate(limit as usize);
    Ok(missing)
}

/// Returns true if an automatic copy failed for a temporary reason.
fn is_repeated(row: &library_page_copy::Model) -> bool {
    let code = row.error_code.as_deref();
    let passes = code.is_some_and(|code| PASSING.iter().any(|passing| passing.as_str() == code));
    row.is_automatic && row.state == PageCopyState::Failed && row.blob.is_none() && passes
}

/// Returns at most `limit` imported items with a page that lack a copy, the most recently saved first. The condition on
/// copies is that of [`is_repeated`].
async fn candidates(
    transaction: &LibraryTransaction,
    formats: &[PageCopyFormat],
    limit: u32,
) -> Result<Vec<ItemId>> {
    if formats.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT i.id FROM library_item i WHERE i.account_id = $1 AND {IS_IMPORTED} AND i.url LIKE 'http%' \
         AND (SELECT COUNT(*) FROM library_page_copy c WHERE c.account_id = i.account_id AND c.item_id = i.id \
         AND c.format IN ({}) AND NOT (c.is_automatic AND c.state = $2 AND c.blob IS NULL \
         AND COALESCE(c.error_code, '') IN ({}))) < {} \
         AND NOT EXISTS (SELECT 1 FROM library_pending_deletion d WHERE d.item_id = i.id) \
         ORDER BY i.saved_at DESC, i.id DESC LIMIT {limit}",
        placeholders(3, formats.len()),
        placeholders(3 + formats.len(), PASSING.len()),
        formats.len()
    );
    let mut values: Vec<Value> = vec![transaction.account_id.into(), PageCopyState::Failed.as_str().into()];
    values.extend(formats.iter().map(|format| Value::from(format.as_str())));
    values.extend(PASSING.map(|code| Value::from(code.as_str())));
    let rows = transaction.db().query_all_raw(statement(transaction.db(), &sql, values)).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}
