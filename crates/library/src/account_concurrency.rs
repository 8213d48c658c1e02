//! Limits how many operations of one kind an account runs at the same time in this process.

use entities::ids::AccountId;
use kernel::Domain;
use permits::{KeyedLimit, KeyedSemaphore};
use tokio::sync::OwnedSemaphorePermit;

/// Saves of one account that wait for their texts; further ones are answered without their texts.
const WAITING_SAVES: usize = 4;
/// Uploads of import files of one account.
const IMPORT_UPLOADS: usize = 1;
/// Searches of one account. Each uses a connection and much processor time.
const SEARCHES: usize = 2;
/// Write transactions of one account, which exclude each other in the database too.
const TRANSACTIONS: usize = 1;

struct Transactions(KeyedSemaphore);

struct Searches(KeyedSemaphore);

struct Saves(KeyedLimit<AccountId>);

struct Imports(KeyedLimit<AccountId>);

/// Waits for the account's other write transactions of this process. They would otherwise wait with a
/// database connection each, and all at the same time for the single writer of an embedded database, so that
/// the transactions of other accounts wait for all of them.
pub(crate) async fn exclude_transactions(domain: &Domain, id: AccountId) -> Option<OwnedSemaphorePermit> {
    let transactions = domain.shared(|| Transactions(KeyedSemaphore::new(TRANSACTIONS))).0.clone();
    transactions.acquire(&id.to_string()).await
}

/// Waits until fewer searches of the account run in this process.
pub(crate) async fn limit_searches(domain: &Domain, id: AccountId) -> Option<OwnedSemaphorePermit> {
    let searches = domain.shared(|| Searches(KeyedSemaphore::new(SEARCHES))).0.clone();
    searches.acquire(&id.to_string()).await
}

/// The saves of this process that wait for their texts.
pub(crate) fn saves(domain: &Domain) -> KeyedLimit<AccountId> {
    domain.shared(|| Saves(KeyedLimit::new(WAITING_SAVES))).0.clone()
}

/// The import uploads of this process.
pub(crate) fn imports(domain: &Domain) -> KeyedLimit<AccountId> {
    domain.shared(|| Imports(KeyedLimit::new(IMPORT_UPLOADS))).0.clone()
}
