//! Feeds that move: after three equal permanent answers in a row and a body that is a feed, the new
//! address is the feed's, and the old one stays an alias. Redirects of passing kinds move nothing. A feed
//! that moved to where another one lies is that other feed from then on (`merge`).

use entities::feed;
use entities::ids::FeedId;
use fetch::Fetched;
use sea_orm::{ActiveValue::Set, ConnectionTrait, DatabaseTransaction};

use super::rows::{execute, scalar_optional};
use crate::error::{Error, Result};

/// Equal permanent answers that are believed.
const TIMES: i32 = 3;

/// Two rows that turned out to be one feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Merge {
    /// The feed that moved.
    pub(super) from: FeedId,
    /// The one that it is.
    pub(super) into: FeedId,
}

/// Where a feed's permanent redirects lead, and how often in a row they have led there.
pub(super) fn count(feed: &feed::Model, fetched: &Fetched) -> (Option<String>, i32) {
    let target = fetched.permanent_url.as_ref().map(|url| url.as_str().to_owned());
    let count = match &target {
        Some(target) if feed.moving_to.as_ref() == Some(target) => feed.moving_count.saturating_add(1),
        Some(_) => 1,
        None => 0,
    };
    (target, count)
}

/// Moves a feed whose redirect has been the same often enough. When the new address is another feed's
/// already, nothing is moved here: the two are to be merged.
pub(super) async fn move_when_sure(
    transaction: &DatabaseTransaction,
    feed: &feed::Model,
    fetched: &Fetched,
    row: &mut feed::ActiveModel,
) -> Result<Option<Merge>> {
    let (target, count) = count(feed, fetched);
    row.moving_to = Set(target);
    row.moving_count = Set(count);
    let Some(target) = fetched.permanent_url.as_ref().filter(|_| count >= TIMES) else { return Ok(None) };
    let Some(key) = extract::feed::feed_key(target.as_str()) else { return Ok(None) };
    let holder = take_address(transaction, &key, feed.id).await?;
    if holder != feed.id {
        return Ok(Some(Merge { from: feed.id, into: holder }));
    }
    row.url = Set(target.as_str().to_owned());
    row.host = Set(extract::feed::site(target.as_str()).unwrap_or_default());
    row.moving_to = Set(None);
    row.moving_count = Set(0);
    Ok(None)
}

/// The feed that an address belongs to, which is `feed_id` if it was free.
async fn take_address(connection: &impl ConnectionTrait, key: &str, feed_id: FeedId) -> Result<FeedId> {
    let sql = "INSERT INTO feed_address (url, feed_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    execute(connection, sql, [key.into(), feed_id.into()]).await?;
    let sql = "SELECT feed_id FROM feed_address WHERE url = $1";
    let holder = scalar_optional(connection, sql, [key.into()]).await?;
    holder.ok_or_else(|| Error::internal("a taken address belongs to no feed"))
}
