//! Current usage of the counted limits of an account. Only this module counts the rows of all capabilities,
//! so that the plan page, `/v1/me`, and limit errors always agree.

use entities::ids::AccountId;
use sea_orm::ConnectionTrait;

use kernel::{Domain, Result};

use identity::keys;

/// Current usage of the counted limits of an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Number of keys that are neither revoked nor expired.
    pub active_api_keys: u64,
    /// Number of followed feeds.
    pub rss_subscriptions: u64,
    /// Number of feed collections, without the built-in collection for unsorted feeds.
    pub rss_collections: u64,
    /// Number of feed consumers.
    pub feed_consumers: u64,
    /// Number of notification channels.
    pub notification_channels: u64,
    pub web_monitors: u64,
    /// Size of texts and files in the library, in bytes.
    pub library_storage_bytes: u64,
}

/// Counts the current usage of `account_id`.
pub async fn current_usage(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<Usage> {
    Ok(Usage {
        active_api_keys: keys::count_active(domain, connection, account_id).await?,
        rss_subscriptions: feeds::count_subscriptions(connection, account_id).await?,
        rss_collections: feeds::count_collections(connection, account_id).await?,
        feed_consumers: feeds::count_consumers(domain, connection, account_id).await?,
        notification_channels: notices::count(connection, account_id).await?,
        web_monitors: monitors::count(connection, account_id).await?,
        library_storage_bytes: library::stored_bytes(connection, account_id).await?,
    })
}
