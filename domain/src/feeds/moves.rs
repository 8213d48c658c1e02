//! Feeds that move: after three equal permanent answers in a row and a body that is a feed, the new
//! address is the feed's, and the old one stays an alias. Redirects of passing kinds move nothing.

use entities::feed;
use fetch::Fetched;
use sea_orm::{ActiveValue::Set, ConnectionTrait, DatabaseTransaction};

use super::rows::{change, number};
use crate::error::Result;

/// Equal permanent answers that are believed.
const TIMES: i32 = 3;

/// Counts where permanent redirects lead.
pub(super) fn note(feed: &feed::Model, fetched: &Fetched, row: &mut feed::ActiveModel) {
    let target = fetched.permanent_url.as_ref().map(|url| url.as_str().to_owned());
    let count = match &target {
        Some(target) if feed.moving_to.as_ref() == Some(target) => feed.moving_count.saturating_add(1),
        Some(_) => 1,
        None => 0,
    };
    row.moving_to = Set(target);
    row.moving_count = Set(count);
}

/// Moves a feed whose redirect has been the same often enough. When the new address is another feed's
/// already, both stay: their followers may have chosen either.
pub(super) async fn move_when_sure(
    transaction: &DatabaseTransaction,
    feed: &feed::Model,
    fetched: &Fetched,
    row: &mut feed::ActiveModel,
) -> Result<()> {
    let sea_orm::ActiveValue::Set(count) = row.moving_count else { return Ok(()) };
    let Some(target) = fetched.permanent_url.as_ref().filter(|_| count >= TIMES) else { return Ok(()) };
    let Some(key) = extract::feed::feed_key(target.as_str()) else { return Ok(()) };
    if !take_address(transaction, &key, feed.id).await? {
        return Ok(());
    }
    row.url = Set(target.as_str().to_owned());
    row.host = Set(extract::feed::site(target.as_str()).unwrap_or_default());
    row.moving_to = Set(None);
    row.moving_count = Set(0);
    Ok(())
}

async fn take_address(connection: &impl ConnectionTrait, key: &str, feed_id: i64) -> Result<bool> {
    let text = "INSERT INTO feed_address (url, feed_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    change(connection, text, [key.into(), feed_id.into()]).await?;
    let text = "SELECT feed_id FROM feed_address WHERE url = $1";
    Ok(number(connection, text, [key.into()]).await? == feed_id)
}
