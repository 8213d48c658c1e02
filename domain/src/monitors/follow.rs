//! Monitors among the feeds that an account follows: each is a feed of its own that is never polled. What
//! a run finds is written among its entries in the run's own transaction. Such a feed does not count as a
//! subscription, and nobody else can follow it.

use entities::feed_entry;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter, Value,
};
use uuid::Uuid;

use super::publish::{Item, Links};
use crate::clock::Millis;
use crate::error::Result;
use crate::feeds;
use crate::statement::{change, number};

/// The kind of the feeds that are monitors.
pub(crate) const FEED_KIND: &str = "monitor";

/// A monitor as a feed.
pub(super) struct Followed<'a> {
    pub(super) account_id: Uuid,
    pub(super) feed_url: &'a str,
    pub(super) site_url: &'a str,
    pub(super) host: &'a str,
    pub(super) title: &'a str,
}

/// Adds a monitor to its owner's feeds; tells the feed's id.
pub(super) async fn follow(
    connection: &impl ConnectionTrait,
    now: Millis,
    monitor: &Followed<'_>,
) -> Result<i64> {
    let text = "INSERT INTO feed (url, host, kind, site_url, title, trust_guid, trust_url, gone, next_poll_at, \
                last_fetched_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, NULL, $8, $8) RETURNING id";
    let values: [Value; 8] = [
        monitor.feed_url.into(),
        monitor.host.into(),
        FEED_KIND.into(),
        monitor.site_url.into(),
        monitor.title.into(),
        true.into(),
        false.into(),
        now.into(),
    ];
    let feed_id = number(connection, text, values).await?;
    let collection_id = feeds::ensure_unsorted(connection, now, monitor.account_id).await?;
    let text = "INSERT INTO rss_subscription (account_id, feed_id, collection_id, full_text, read_through, created_at) \
                VALUES ($1, $2, $3, $4, 0, $5)";
    let values = [monitor.account_id.into(), feed_id.into(), collection_id.into(), false.into(), now.into()];
    change(connection, text, values).await?;
    Ok(feed_id)
}

/// Has the feed bear the monitor's name and address.
pub(super) async fn rename(
    connection: &impl ConnectionTrait,
    feed_id: i64,
    title: &str,
    feed_url: &str,
) -> Result<()> {
    let text = "UPDATE feed SET title = $1, url = $2 WHERE id = $3 AND kind = $4";
    change(connection, text, [title.into(), feed_url.into(), feed_id.into(), FEED_KIND.into()]).await?;
    Ok(())
}

/// Gives the entries of the feed that lead to changes their new links.
pub(super) async fn relink(connection: &impl ConnectionTrait, feed_id: i64, links: &Links) -> Result<()> {
    let entries = feed_entry::Entity::find().filter(feed_entry::Column::FeedId.eq(feed_id));
    for entry in entries.all(connection).await? {
        if let Some(link) = entry.url.as_deref().and_then(|url| links.renewed(url)) {
            let id = Set(entry.id);
            let renewed = feed_entry::ActiveModel { id, url: Set(Some(link)), ..Default::default() };
            renewed.update(connection).await?;
        }
    }
    Ok(())
}

/// Takes the feed of a monitor away, with its entries.
pub(super) async fn unfollow(connection: &impl ConnectionTrait, feed_id: i64) -> Result<()> {
    change(connection, "DELETE FROM rss_entry_mark WHERE feed_id = $1", [feed_id.into()]).await?;
    change(connection, "DELETE FROM rss_subscription WHERE feed_id = $1", [feed_id.into()]).await?;
    let text = "DELETE FROM feed WHERE id = $1 AND kind = $2";
    change(connection, text, [feed_id.into(), FEED_KIND.into()]).await?;
    Ok(())
}

/// Takes the feeds of all monitors of an account away, before the account goes.
pub(crate) async fn forget_feeds(connection: &impl ConnectionTrait, account_id: Uuid) -> Result<()> {
    let feeds = "(SELECT feed_id FROM monitor WHERE account_id = $1 AND feed_id IS NOT NULL)";
    let text = format!("DELETE FROM rss_subscription WHERE feed_id IN {feeds}");
    change(connection, &text, [account_id.into()]).await?;
    let text = format!("DELETE FROM feed WHERE kind = '{FEED_KIND}' AND id IN {feeds}");
    change(connection, &text, [account_id.into()]).await?;
    Ok(())
}

/// Writes what a run found among the feed's entries, if the feed is still followed.
pub(super) async fn deliver(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: i64,
    items: &[Item],
) -> Result<()> {
    let text = "SELECT count(*) FROM rss_subscription WHERE feed_id = $1";
    if items.is_empty() || number(transaction, text, [feed_id.into()]).await? == 0 {
        return Ok(());
    }
    feeds::lock_order(transaction).await?;
    for item in items.iter().rev() {
        let text = "INSERT INTO feed_entry (feed_id, entry_key, mark_guid, mark_url, mark_title, mark_published, \
            fingerprint, url, title, summary, published_at, discovered_at, content) \
            VALUES ($1, $2, $2, 0, 0, 0, 0, $3, $4, $5, $6, $7, $8) ON CONFLICT (feed_id, entry_key) DO NOTHING";
        let values: [Value; 8] = [
            feed_id.into(),
            item.key.into(),
            item.link.as_str().into(),
            item.title.as_str().into(),
            item.summary.as_str().into(),
            item.at.into(),
            now.into(),
            item.html.as_str().into(),
        ];
        change(transaction, text, values).await?;
    }
    let text = "UPDATE feed SET last_fetched_at = $1, last_new_at = $1 WHERE id = $2";
    change(transaction, text, [now.into(), feed_id.into()]).await?;
    feeds::trim(transaction, now, feed_id).await?;
    Ok(())
}
