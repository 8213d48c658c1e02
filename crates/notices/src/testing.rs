//! Test support for other crates.

use entities::ids::AccountId;
use kernel::Domain;

/// Notifies the channels of an account that the API key `number` was created. Each number is a separate
/// event.
///
/// # Panics
/// If the notices cannot be written to the database.
pub async fn notify_channels(domain: &Domain, account_id: AccountId, number: usize) {
    let transaction = domain.db().begin().await.expect("the transaction begins");
    let name = format!("key {number}");
    let notice = crate::key_made(&transaction, domain, account_id, (domain.new_id(), &name));
    notice.await.expect("the notice is written");
    transaction.commit().await.expect("the transaction commits");
}
