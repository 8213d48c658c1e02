//! Current use of the counted limits of an account. The rows of all capabilities are counted in this module,
//! so that the plan page, `/v1/me`, and the refusals always agree.

use entities::ids::AccountId;
use sea_orm::ConnectionTrait;

use kernel::{Domain, Result};

use identity::keys;

/// Current use of an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Keys that are neither revoked nor expired.
    pub active_api_keys: u64,
    /// Followed feeds.
    pub rss_subscriptions: u64,
    /// Collections of feeds, without the built-in collection for unsorted feeds.
    pub rss_collections: u64,
    /// Consumers of feed queries.
    pub feed_consumers: u64,
    /// Notification channels.
    pub notification_channels: u64,
    pub web_monitors: u64,
    /// Bytes of text and files in the library.
    pub library_storage_bytes: u64,
}

/// Counts the current use of `account_id`.
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
