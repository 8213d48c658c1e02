//! Messages about new entries, to the channels that the followers of a feed have chosen. Each follower is
//! notified in one transaction, which also records the last entry, so that a repeated job sends nothing twice.
//!
//! Entries that rules hide or mark as read are not part of a message, nor are entries that are already read.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChannelId, EntryId, FeedId, SubscriptionId};
use entities::rss_subscription::{self, Column, Entity};
use entities::{channel, feed};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter,
    QuerySelect, Value,
};

use super::entries::entries_of_ids;
use super::entry::Entry;
use super::entry_scope::{IS_UNREAD, MARKS};
use super::notice_requests::{self, NoticeClaim};
use super::sql::last_entry;
use identity::accounts;
use jobs::Claimed;
use kernel::statement::{scalar, statement};
use kernel::{Domain, Error, Millis, Result, address};
use notices::{ListedEntry, MAX_LISTED_ENTRIES, NewEntries};

/// Number of followers per query.
const PAGE: u32 = 200;

/// Writes the messages of a claimed job, and completes the job.
///
/// # Errors
/// `Unavailable` or `Internal` if a message cannot be written. The other followers were notified, and the retried job
/// continues with those that were not.
#[boxed]
pub async fn write_entry_notices(domain: &Domain, claimed: &Claimed) -> Result<()> {
    let claim: NoticeClaim = claimed.arguments()?;
    let mut next: Option<Millis> = None;
    if let Some(after) = notice_requests::first_after(domain.db().write(), claim.feed_id).await? {
        next = notify_followers(domain, claim.feed_id, after).await?;
    }
    let transaction = domain.db().begin().await?;
    notice_requests::finish(&transaction, claim, next).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Notifies the followers of a feed of the entries after `after`. Returns the earliest time until which entries wait.
///
/// # Errors
/// The first error. It does not hold up the messages to other followers.
async fn notify_followers(domain: &Domain, feed_id: FeedId, after: EntryId) -> Result<Option<Millis>> {
    let through = last_entry(domain.db().write(), feed_id).await?;
    let (mut next, mut failure): (Option<Millis>, Option<Error>) = (None, None);
    let mut followers = notifying_followers(domain, (feed_id, through), SubscriptionId::new(0)).await?;
    while let Some((_, last)) = followers.last().copied() {
        for (account_id, id) in followers {
            match notify(domain, (account_id, id), (feed_id, after)).await {
                Ok(wait_until) => next = next.into_iter().chain(wait_until).min(),
                Err(error) => {
                    let report = error.report();
                    tracing::warn!(%account_id, subscription = %id, error = %report, "new entries not sent");
                    failure = failure.or(Some(error));
                }
            }
        }
        followers = notifying_followers(domain, (feed_id, through), last).await?;
    }
    failure.map_or(Ok(next), Err)
}

/// Returns a page of the followers of a feed that notify channels and were not notified of the entry `through`,
/// after the subscription `after`.
async fn notifying_followers(
    domain: &Domain,
    (feed_id, through): (FeedId, EntryId),
    after: SubscriptionId,
) -> Result<Vec<(AccountId, SubscriptionId)>> {
    // The literal allows the database to use the index of such subscriptions.
    let sql = format!(
        "SELECT account_id, id FROM rss_subscription WHERE feed_id = $1 AND notify <> '[]' AND id > $2 \
         AND notified_through < $3 ORDER BY id LIMIT {PAGE}"
    );
    let connection = domain.db().write();
    let values = [feed_id.into(), after.into(), through.into()];
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Notifies the channels of one follower of the entries after `after`. Returns the time until which the entries
/// wait, if too many messages were written.
async fn notify(
    domain: &Domain,
    (account_id, id): (AccountId, SubscriptionId),
    (feed_id, after): (FeedId, EntryId),
) -> Result<Option<Millis>> {
    let transaction = domain.db().begin().await?;
    if !accounts::is_active(&transaction, account_id).await? {
        return Ok(None);
    }
    accounts::lock(&transaction, account_id).await?;
    let row = Entity::owned_by(account_id).filter(Column::Id.eq(id)).filter(Column::FeedId.eq(feed_id));
    let Some(row) = row.one(&transaction).await? else { return Ok(None) };
    let through = last_entry(&transaction, feed_id).await?;
    let (ids, count) = unread_entries(&transaction, &row, (after.max(row.notified_through), through)).await?;
    if count > 0 {
        let channels: Vec<ChannelId> = serde_json::from_str(&row.notify).unwrap_or_default();
        let wait_until =
            notices::entries_wait_until(&transaction, domain, (account_id, id), &channels).await?;
        if wait_until.is_some() {
            return Ok(wait_until);
        }
        send(&transaction, domain, (&row, channels.as_slice()), (ids.as_slice(), count, through)).await?;
    }
    let notified = rss_subscription::ActiveModel {
        id: Unchanged(id),
        notified_through: Set(through),
        ..Default::default()
    };
    notified.update(&transaction).await?;
    transaction.commit().await?;
    Ok(None)
}

/// Returns the newest unread entries of a subscription between two entries, and the number of all of them.
async fn unread_entries(
    transaction: &DatabaseTransaction,
    row: &rss_subscription::Model,
    (after, through): (EntryId, EntryId),
) -> Result<(Vec<EntryId>, u64)> {
    let from = format!(
        "FROM feed_entry e JOIN rss_subscription o ON o.id = $2 LEFT JOIN {MARKS} \
         WHERE e.feed_id = o.feed_id AND e.id > $3 AND e.id <= $4 AND {IS_UNREAD}"
    );
    let values = || -> [Value; 4] { [row.account_id.into(), row.id.into(), after.into(), through.into()] };
    let newest = format!("SELECT e.id {from} ORDER BY e.id DESC LIMIT {MAX_LISTED_ENTRIES}");
    let rows = transaction.query_all_raw(statement(transaction, &newest, values())).await?;
    let ids = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<EntryId>>>()?;
    if ids.len() < MAX_LISTED_ENTRIES {
        let count = ids.len() as u64;
        return Ok((ids, count));
    }
    let count = scalar(transaction, &format!("SELECT count(*) {from}"), values()).await?;
    Ok((ids, u64::try_from(count).unwrap_or(0)))
}

async fn send(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    (row, channels): (&rss_subscription::Model, &[ChannelId]),
    (ids, count, through): (&[EntryId], u64, EntryId),
) -> Result<()> {
    let Some(feed) = feed::Entity::find_by_id(row.feed_id).one(transaction).await? else { return Ok(()) };
    let mut entries = entries_of_ids(transaction, row.account_id, ids).await?;
    entries.sort_by_key(|entry| entry.id);
    let title = row.title.as_deref().or(feed.title.as_deref()).unwrap_or(&feed.url);
    let (title, url) = (address::without_user_info(title), address::without_user_info(&feed.url));
    let news = NewEntries {
        account_id: row.account_id,
        subscription_id: row.id,
        feed_id: row.feed_id,
        channels,
        feed_title: &title,
        feed_url: &url,
        site_url: feed.site_url.as_deref().or(row.site_url.as_deref()),
        entries: entries.into_iter().map(listed).collect(),
        count,
        through,
    };
    notices::entries_arrived(transaction, domain, news).await
}

fn listed(entry: Entry) -> ListedEntry {
    ListedEntry {
        id: entry.id,
        url: entry.url,
        title: entry.title,
        text: entry.summary.unwrap_or_default(),
        published_at: entry.published_at,
    }
}

/// Checks the channels that a subscription is to notify, and sets them. Only entries that arrive from now on are
/// sent to the channels of a subscription that notified none.
pub(super) async fn set_channels(
    transaction: &DatabaseTransaction,
    (account_id, feed_id): (AccountId, FeedId),
    (current, channels): (&[ChannelId], &[ChannelId]),
    row: &mut rss_subscription::ActiveModel,
) -> Result<()> {
    row.notify = Set(notices::check_notify(transaction, account_id, channels).await?);
    if current.is_empty() {
        row.notified_through = Set(last_entry(transaction, feed_id).await?);
    }
    Ok(())
}

/// Like [`set_channels`] for a subscription that is restored, without the channels that were deleted.
pub(super) async fn restore_channels(
    transaction: &DatabaseTransaction,
    (account_id, feed_id): (AccountId, FeedId),
    channels: &[ChannelId],
    row: &mut rss_subscription::ActiveModel,
) -> Result<()> {
    let left: Vec<ChannelId> = channel::Entity::owned_by(account_id)
        .select_only()
        .column(channel::Column::Id)
        .filter(channel::Column::Id.is_in(channels.iter().copied()))
        .into_tuple()
        .all(transaction)
        .await?;
    set_channels(transaction, (account_id, feed_id), (&[], &left), row).await
}
