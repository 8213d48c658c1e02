//! How much of the counted things of this room there is, and which feeds are monitors.

use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::collections;
use super::rows::number;
use crate::error::Result;

/// Whether a feed is a monitor: its entries come with the monitor's runs, there is nothing to ask for.
pub(super) async fn is_monitor(connection: &impl ConnectionTrait, feed_id: i64) -> Result<bool> {
    let text = "SELECT count(*) FROM feed WHERE id = $1 AND kind = 'monitor'";
    Ok(number(connection, text, [feed_id.into()]).await? > 0)
}

/// Feeds that the account follows; monitors among them are not counted.
pub(crate) async fn count_subscriptions(connection: &impl ConnectionTrait, account_id: Uuid) -> Result<u64> {
    let text = "SELECT count(*) FROM rss_subscription s JOIN feed f ON f.id = s.feed_id \
                WHERE s.account_id = $1 AND COALESCE(f.kind, '') <> 'monitor'";
    Ok(u64::try_from(number(connection, text, [account_id.into()]).await?).unwrap_or(0))
}

/// Collections of the account's own making.
pub(crate) async fn count_collections(connection: &impl ConnectionTrait, account_id: Uuid) -> Result<u64> {
    collections::count(connection, account_id).await
}
