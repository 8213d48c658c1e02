//! Monitors among the feeds that an account follows: each is a feed of its own that is never polled
//! (`feeds::pushed`). What runs find is written among its entries in their own transaction.

use entities::ids::{AccountId, FeedId};
use entities::monitor;
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::feed_form::{FeedForm, feed_url};
use super::render::Item;
use crate::clock::Millis;
use crate::error::Result;
use crate::feeds::pushed::{self, Followed, NewEntry, News};
use crate::statement::statement;

/// Adds a monitor to its owner's feeds; tells the feed's id.
pub(super) async fn begin(
    transaction: &DatabaseTransaction,
    now: Millis,
    row: &monitor::Model,
    base_url: &str,
) -> Result<FeedId> {
    let feed = pushed::NewFeed {
        account_id: row.account_id,
        url: &feed_url(base_url, &row.feed_token, FeedForm::Rss),
        site_url: &row.target_url,
        host: &row.host,
        title: &row.name,
    };
    pushed::create(transaction, now, feed).await
}

/// Takes the feeds of all monitors of an account away, before the account goes.
pub(crate) async fn forget_feeds(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<()> {
    let sql = "SELECT feed_id FROM monitor WHERE account_id = $1 AND feed_id IS NOT NULL";
    let rows = connection.query_all_raw(statement(connection, sql, [account_id.into()])).await?;
    let ids = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<FeedId>>>()?;
    pushed::remove(connection, &ids).await
}

/// What a run found, newest first, as news of the monitor's feed.
pub(super) fn news(feed_id: FeedId, items: Vec<Item>) -> News {
    News { feed_id, entries: items.into_iter().rev().map(entry).collect() }
}

/// Writes items of one feed, newest first, among its entries.
pub(super) async fn deliver(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    items: Vec<Item>,
) -> Result<()> {
    let followed = Followed::load(transaction, &[feed_id]).await?;
    pushed::append(transaction, now, followed, vec![news(feed_id, items)]).await
}

fn entry(item: Item) -> NewEntry {
    NewEntry {
        key: item.key,
        url: item.link,
        title: item.title,
        summary: item.summary,
        content: item.html,
        published_at: item.at,
    }
}
