//! Monitors in their owner's feeds. Each of these monitors has its own feed, which is never polled
//! (`feeds::internal_feed`). Results of runs become entries of this feed in the transaction of the runs.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, FeedId, MonitorId};
use entities::monitor;
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, QueryFilter, QuerySelect};

use super::feed_format::{FeedFormat, feed_url};
use super::render::FeedItem;
use feeds::SourceKind;
use feeds::health::Health;
use feeds::internal_feed::{self, FeedArrivals, NewEntry};
use kernel::statement::statement;
use kernel::{Domain, Millis, Result};

/// Adds a monitor to its owner's feeds and returns the id of the feed.
pub(super) async fn create_feed(
    transaction: &DatabaseTransaction,
    now: Millis,
    row: &monitor::Model,
    base_url: &str,
) -> Result<FeedId> {
    let feed = internal_feed::NewInternalFeed {
        account_id: row.account_id,
        kind: SourceKind::Monitor,
        collection_id: None,
        url: &feed_url(base_url, &row.feed_token, FeedFormat::Rss),
        site_url: &row.target_url,
        host: &row.host,
        title: &row.name,
    };
    internal_feed::create(transaction, now, feed).await
}

/// Returns the feed of each of the account's monitors with these ids. `None` for a monitor that is not followed.
#[boxed]
pub async fn feeds_of(
    domain: &Domain,
    account_id: AccountId,
    ids: &[MonitorId],
) -> Result<HashMap<MonitorId, Option<FeedId>>> {
    let rows: Vec<(MonitorId, Option<FeedId>)> = monitor::Entity::owned_by(account_id)
        .select_only()
        .columns([monitor::Column::Id, monitor::Column::FeedId])
        .filter(monitor::Column::Id.is_in(ids.to_vec()))
        .into_tuple()
        .all(domain.db().read())
        .await?;
    Ok(rows.into_iter().collect())
}

/// Deletes the feeds of all monitors of an account, before the account is deleted.
pub async fn delete_feeds(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<()> {
    let sql = "SELECT feed_id FROM monitor WHERE account_id = $1 AND feed_id IS NOT NULL";
    let rows = connection.query_all_raw(statement(connection, sql, [account_id.into()])).await?;
    let ids = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<FeedId>>>()?;
    internal_feed::remove(connection, &ids).await
}

/// Pending updates of the feeds of monitors. They are written last, because transactions that write entries
/// wait for each other.
#[derive(Default)]
pub(super) struct FeedUpdates {
    news: Vec<FeedArrivals>,
    recovered: Vec<FeedId>,
    failing: Vec<FeedId>,
}

impl FeedUpdates {
    /// Adds entries to the feed of a monitor, if it has one. `items` returns the entries, the newest first.
    pub(super) fn add_entries(&mut self, row: &monitor::Model, items: impl FnOnce() -> Vec<FeedItem>) {
        if let Some(feed_id) = row.feed_id {
            self.news.push(FeedArrivals { feed_id, entries: items().into_iter().rev().map(entry).collect() });
        }
    }

    /// Records that a check succeeded.
    pub(super) fn note_success(&mut self, row: &monitor::Model) {
        self.recovered.extend(row.feed_id);
    }

    /// Records that a monitor is failing.
    pub(super) fn note_failure(&mut self, row: &monitor::Model) {
        self.failing.extend(row.feed_id);
    }

    /// Writes the updates. Entries are written first, because rules evaluate entries before the lock for
    /// writing them is acquired.
    pub(super) async fn write(self, transaction: &DatabaseTransaction, now: Millis) -> Result<()> {
        internal_feed::append(transaction, now, self.news).await?;
        for feed_id in self.failing {
            internal_feed::record_health(transaction, now, feed_id, Health::Failing).await?;
        }
        internal_feed::record_recovery(transaction, now, &self.recovered).await
    }
}

fn entry(item: FeedItem) -> NewEntry {
    NewEntry {
        key: item.key(),
        url: item.link,
        title: item.title,
        author: None,
        summary: item.summary,
        content: item.html,
        published_at: item.at,
    }
}
