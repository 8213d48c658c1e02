//! Counts the objects that a plan limits.

use entities::ids::AccountId;
use sea_orm::ConnectionTrait;

use super::collections;
use super::consumers;
use super::sql;
use kernel::{Domain, Result};

/// Returns the number of feeds that the account follows, without internal feeds.
pub async fn count_subscriptions(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<u64> {
    sql::count_followed(connection, account_id).await
}

/// Returns the number of custom collections of the account.
pub async fn count_collections(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<u64> {
    collections::count(connection, account_id).await
}

/// Returns the number of the account's consumers that have not expired.
pub async fn count_consumers(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<u64> {
    consumers::count_consumers(domain, connection, account_id).await
}
