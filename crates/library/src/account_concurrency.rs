//! Limits how many operations of one kind an account runs at the same time in this process, and how fast it
//! uploads.

use entities::ids::AccountId;
use kernel::Domain;
use permits::{KeyedByteRate, KeyedLimit, KeyedSemaphore};
use tokio::sync::OwnedSemaphorePermit;

/// Maximum number of saves per account that wait for their texts. Further saves are answered without a text.
const WAITING_SAVES: usize = 4;
/// Maximum number of concurrent uploads of import files per account.
const IMPORT_UPLOADS: usize = 1;
/// Maximum number of page copies that the clients of an account upload at the same time. Each copy is buffered in
/// memory.
const SENT_COPIES: usize = 2;
/// Maximum upload rate per account in bytes per second, and the burst in bytes that is not delayed. A faster upload
/// would take processor time and disk bandwidth from other accounts.
const UPLOAD_RATE: u32 = 32 << 20;
const UPLOAD_BURST: u32 = 32 << 20;
/// Maximum number of concurrent searches per account. Each search uses a connection and much processor time.
const SEARCHES: usize = 2;
/// Maximum number of concurrent searches per account for feeds of saved searches. Anyone who knows the address of such
/// a feed can start one, so the other searches are reserved for the account itself.
const FEED_SEARCHES: usize = 1;
/// Maximum number of open write transactions per account. The database would serialize them anyway.
const TRANSACTIONS: usize = 1;

struct Transactions(KeyedSemaphore);

struct Searches(KeyedSemaphore);

struct FeedSearches(KeyedSemaphore);

struct Saves(KeyedLimit<AccountId>);

struct Imports(KeyedLimit<AccountId>);

struct SentCopies(KeyedLimit<AccountId>);

struct Uploads(KeyedByteRate<AccountId>);

/// Waits until the account has no other write transaction in this process, and returns the permit for one.
/// Without this limit, each waiting transaction would occupy a database connection. An embedded database has
/// a single writer, so the transactions of other accounts would have to wait for all of them.
pub(crate) async fn exclude_transactions(domain: &Domain, id: AccountId) -> Option<OwnedSemaphorePermit> {
    let transactions = domain.shared(|| Transactions(KeyedSemaphore::new(TRANSACTIONS))).0.clone();
    transactions.acquire(&id.to_string()).await
}

/// Waits until the account may run another search in this process, and returns the permit for it.
pub(crate) async fn limit_searches(domain: &Domain, id: AccountId) -> Option<OwnedSemaphorePermit> {
    let searches = domain.shared(|| Searches(KeyedSemaphore::new(SEARCHES))).0.clone();
    searches.acquire(&id.to_string()).await
}

/// Waits until this process may run another search for a feed of the account, and returns the permit for it. The search
/// itself also needs the permit of [`limit_searches`].
pub(crate) async fn limit_feed_searches(domain: &Domain, id: AccountId) -> Option<OwnedSemaphorePermit> {
    let searches = domain.shared(|| FeedSearches(KeyedSemaphore::new(FEED_SEARCHES))).0.clone();
    searches.acquire(&id.to_string()).await
}

/// Returns this process's limit of saves that wait for their texts.
pub(crate) fn saves(domain: &Domain) -> KeyedLimit<AccountId> {
    domain.shared(|| Saves(KeyedLimit::new(WAITING_SAVES))).0.clone()
}

/// Returns this process's limit of concurrent uploads of import files.
pub(crate) fn imports(domain: &Domain) -> KeyedLimit<AccountId> {
    domain.shared(|| Imports(KeyedLimit::new(IMPORT_UPLOADS))).0.clone()
}

/// Returns this process's limit of page copies that clients send at the same time.
pub(crate) fn sent_copies(domain: &Domain) -> KeyedLimit<AccountId> {
    domain.shared(|| SentCopies(KeyedLimit::new(SENT_COPIES))).0.clone()
}

/// Waits until the account may upload another `bytes` bytes to this process.
pub(crate) async fn pace_upload(domain: &Domain, id: AccountId, bytes: usize) {
    let uploads = domain.shared(|| Uploads(KeyedByteRate::new(UPLOAD_RATE, UPLOAD_BURST))).0.clone();
    uploads.wait(id, bytes).await;
}
