//! Monitors among the feeds that an account follows: each is a feed of its own that is never polled
//! (`feeds::pushed`). What runs find is written among its entries in their own transaction.

use entities::ids::{AccountId, FeedId};
use entities::monitor;
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::feed_form::{FeedForm, feed_url};
use super::render::Item;
use feeds::health::Health;
use feeds::pushed::{self, NewEntry, News};
use kernel::clock::Millis;
use kernel::error::Result;
use kernel::statement::statement;

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
pub async fn forget_feeds(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<()> {
    let sql = "SELECT feed_id FROM monitor WHERE account_id = $1 AND feed_id IS NOT NULL";
    let rows = connection.query_all_raw(statement(connection, sql, [account_id.into()])).await?;
    let ids = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<FeedId>>>()?;
    pushed::remove(connection, &ids).await
}

/// What is to be written in the feeds of monitors. It is written last: whoever writes entries waits for others who do, and
/// they for it.
#[derive(Default)]
pub(super) struct InFeeds {
    news: Vec<News>,
    going_well: Vec<FeedId>,
    failing: Vec<FeedId>,
}

impl InFeeds {
    /// Tells something, the newest first, where a monitor is among its owner's feeds.
    pub(super) fn tell(&mut self, row: &monitor::Model, items: impl FnOnce() -> Vec<Item>) {
        if let Some(feed_id) = row.feed_id {
            self.news.push(News { feed_id, entries: items().into_iter().rev().map(entry).collect() });
        }
    }

    /// A monitor's look went well.
    pub(super) fn note_success(&mut self, row: &monitor::Model) {
        self.going_well.extend(row.feed_id);
    }

    /// A monitor fails.
    pub(super) fn note_failure(&mut self, row: &monitor::Model) {
        self.failing.extend(row.feed_id);
    }

    /// Writes it: entries first, at which rules look before the turn to write is taken.
    pub(super) async fn write(self, transaction: &DatabaseTransaction, now: Millis) -> Result<()> {
        pushed::append(transaction, now, self.news).await?;
        for feed_id in self.failing {
            pushed::note_health(transaction, now, feed_id, Health::Failing).await?;
        }
        pushed::note_recovered(transaction, now, &self.going_well).await
    }
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
