//! How much of the counted things of this room there is.

use entities::ids::AccountId;
use sea_orm::ConnectionTrait;

use super::collections;
use super::pushed;
use super::sql::scalar;
use crate::error::Result;

/// Feeds that the account follows; those that are written and not polled are not counted.
pub(crate) async fn count_subscriptions(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<u64> {
    let sql = "SELECT count(*) FROM rss_subscription s JOIN feed f ON f.id = s.feed_id \
                WHERE s.account_id = $1 AND COALESCE(f.kind, '') <> $2";
    Ok(u64::try_from(scalar(connection, sql, [account_id.into(), pushed::KIND.into()]).await?).unwrap_or(0))
}

/// Collections of the account's own making.
pub(crate) async fn count_collections(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<u64> {
    collections::count(connection, account_id).await
}
