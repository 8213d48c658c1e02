//! Messages about new entries, to the channels that the followers of a feed have chosen for the feed, for its
//! collection, or in rules. Each follower is notified in one transaction, which also records the last entry, so that a
//! repeated job sends nothing twice.
//!
//! Messages omit entries that rules hide or mark as read, and entries that are already read. A channel of the
//! feed receives all other entries. Any other channel receives only the entries that a rule sends to it.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChannelId, EntryId, FeedId, SubscriptionId};
use entities::rss_subscription::{self, Column, Entity};
use entities::{channel, feed};
use extract::feed::plain_text;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter,
    QueryResult, QuerySelect, Value,
};

use super::entries::{entries_of_ids, rows_of_ids};
use super::entry::Entry;
use super::entry_scope::{IS_UNREAD, MARKS};
use super::notice_requests::{self, NoticeClaim};
use super::rules;
use super::sql::last_entry;
use identity::accounts;
use jobs::Claimed;
use kernel::statement::{execute, scalar, statement};
use kernel::{Domain, Error, Millis, Result, address};
use notices::{ListedEntry, ListedText, MAX_LISTED_ENTRIES, NewEntries};

/// Number of followers per query.
const PAGE: u32 = 200;

/// Unread new entries for the same channels.
struct ChannelEntries {
    channels: Vec<ChannelId>,
    /// Newest entries, at most [`MAX_LISTED_ENTRIES`].
    ids: Vec<EntryId>,
    /// Number of all entries.
    count: u64,
}

/// Writes the messages of a claimed job, and completes the job.
///
/// # Errors
/// `Unavailable` or `Internal` if a message cannot be written. The other followers have been notified; the retried job
/// continues with the remaining followers.
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

/// Notifies the followers of a feed of the entries after `after`. Returns the earliest time at which postponed entries
/// can be sent.
///
/// # Errors
/// Returns the first error, after all other followers were notified.
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
    if let Some(failure) = failure {
        return Err(failure);
    }
    if next.is_none() {
        rules::delete_undelivered(domain.db().write(), feed_id, through).await?;
    }
    Ok(next)
}

/// Returns a page of a feed's followers that have not been notified of entries up to `through`, starting
/// after the subscription `after`: followers with channels, and followers whose rules send entries to
/// channels.
async fn notifying_followers(
    domain: &Domain,
    (feed_id, through): (FeedId, EntryId),
    after: SubscriptionId,
) -> Result<Vec<(AccountId, SubscriptionId)>> {
    // The literal `'[]'` allows the database to use the index of subscriptions with channels.
    let sql = format!(
        "SELECT account_id, id FROM (SELECT account_id, id FROM rss_subscription WHERE feed_id = $1 \
         AND notify <> '[]' AND id > $2 AND notified_through < $3 ORDER BY id LIMIT {PAGE}) f \
         UNION SELECT account_id, id FROM (SELECT DISTINCT s.account_id, s.id FROM rss_rule_notice n \
         JOIN rss_subscription s ON s.account_id = n.account_id AND s.feed_id = n.feed_id \
         WHERE n.feed_id = $1 AND n.entry_id <= $3 AND s.id > $2 ORDER BY s.id LIMIT {PAGE}) r \
         ORDER BY id LIMIT {PAGE}"
    );
    let connection = domain.db().write();
    let values = [feed_id.into(), after.into(), through.into()];
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Notifies the channels of one follower of the entries after `after`. If too many messages were written,
/// returns the time at which the entries can be sent.
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
    let news = entries_by_channels(&transaction, &row, (after, through)).await?;
    if !news.is_empty() {
        let channels: Vec<ChannelId> = news.iter().flat_map(|news| news.channels.iter().copied()).collect();
        let wait_until =
            notices::entries_wait_until(&transaction, domain, (account_id, id), &channels).await?;
        if wait_until.is_some() {
            return Ok(wait_until);
        }
        send(&transaction, domain, &row, (&news, through)).await?;
    }
    rules::delete_notices(&transaction, (account_id, feed_id), through).await?;
    let notified = rss_subscription::ActiveModel {
        id: Unchanged(id),
        notified_through: Set(through),
        ..Default::default()
    };
    notified.update(&transaction).await?;
    transaction.commit().await?;
    Ok(None)
}

/// Returns the unread entries for the channels of a subscription, and for each other channel the unread
/// entries that rules send to it.
async fn entries_by_channels(
    transaction: &DatabaseTransaction,
    row: &rss_subscription::Model,
    (after, through): (EntryId, EntryId),
) -> Result<Vec<ChannelEntries>> {
    let own: Vec<ChannelId> = serde_json::from_str(&row.notify).unwrap_or_default();
    let mut by_rules = rules::pending_channels(transaction, (row.account_id, row.feed_id), through).await?;
    by_rules.retain(|id| !own.contains(id));
    let mut news = Vec::new();
    if !own.is_empty() {
        let range = (after.max(row.notified_through), through);
        let (ids, count) = unread_entries(transaction, row, range, None).await?;
        news.push(ChannelEntries { channels: own, ids, count });
    }
    for channel_id in by_rules {
        let range = (EntryId::new(0), through);
        let (ids, count) = unread_entries(transaction, row, range, Some(channel_id)).await?;
        let is_same = |news: &&mut ChannelEntries| news.ids == ids && news.count == count;
        match news.iter_mut().find(is_same) {
            Some(same) => same.channels.push(channel_id),
            None => news.push(ChannelEntries { channels: vec![channel_id], ids, count }),
        }
    }
    news.retain(|news| news.count > 0);
    Ok(news)
}

/// Returns the newest unread entries of a subscription between two entries, and the number of all unread
/// entries between them. If `sent_to` is set, only entries that rules send to this channel count.
async fn unread_entries(
    transaction: &DatabaseTransaction,
    row: &rss_subscription::Model,
    (after, through): (EntryId, EntryId),
    sent_to: Option<ChannelId>,
) -> Result<(Vec<EntryId>, u64)> {
    let condition = if sent_to.is_some() { rules::IS_SENT_BY_RULE } else { "TRUE" };
    let from = format!(
        "FROM feed_entry e JOIN rss_subscription o ON o.id = $2 LEFT JOIN {MARKS} \
         WHERE e.feed_id = o.feed_id AND e.id > $3 AND e.id <= $4 AND {IS_UNREAD} AND {condition}"
    );
    let values = || -> Vec<Value> {
        let mut values: Vec<Value> = vec![row.account_id.into(), row.id.into(), after.into(), through.into()];
        values.extend(sent_to.map(|id| Value::from(rules::channel_pattern(id))));
        values
    };
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
    row: &rss_subscription::Model,
    (news, through): (&[ChannelEntries], EntryId),
) -> Result<()> {
    let Some(feed) = feed::Entity::find_by_id(row.feed_id).one(transaction).await? else { return Ok(()) };
    let title = row.title.as_deref().or(feed.title.as_deref()).unwrap_or(&feed.url);
    let (title, url) = (address::without_user_info(title), address::without_user_info(&feed.url));
    for ChannelEntries { channels, ids, count } in news {
        let mut entries = entries_of_ids(transaction, row.account_id, ids).await?;
        entries.sort_by_key(|entry| entry.id);
        let mut texts = if notices::wants_entry_texts(transaction, row.account_id, channels).await? {
            texts_of(transaction, row.account_id, ids).await?
        } else {
            HashMap::new()
        };
        let with_text = |entry: Entry| {
            let content = texts.remove(&entry.id);
            listed(entry, content)
        };
        let arrived = NewEntries {
            account_id: row.account_id,
            subscription_id: row.id,
            feed_id: row.feed_id,
            channels,
            feed_title: &title,
            feed_url: &url,
            site_url: feed.site_url.as_deref().or(row.site_url.as_deref()),
            entries: entries.into_iter().map(with_text).collect(),
            count: *count,
            through,
        };
        notices::entries_arrived(transaction, domain, arrived).await?;
    }
    Ok(())
}

/// Returns the texts of entries as the feed contains them. Entries without a text are omitted.
async fn texts_of(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    ids: &[EntryId],
) -> Result<HashMap<EntryId, ListedText>> {
    type Texts = (EntryId, Option<String>, Option<String>);
    let read = |row: &QueryResult| -> Result<Texts> {
        Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?))
    };
    let rows = rows_of_ids(transaction, account_id, ids, "e.id, e.content, e.summary").await?;
    let texts = rows.iter().map(read).collect::<Result<Vec<Texts>>>()?;
    let parsing = move || {
        let text = |markup: Option<String>, summary: Option<String>| {
            let own = markup.map(|markup| plain_text(&markup)).filter(|text| !text.is_empty());
            own.or(summary).map(|text| ListedText { text, is_cut: false })
        };
        let texts = texts.into_iter();
        texts.filter_map(|(id, markup, summary)| Some((id, text(markup, summary)?))).collect()
    };
    tokio::task::spawn_blocking(parsing).await.map_err(Error::internal)
}

fn listed(entry: Entry, content: Option<ListedText>) -> ListedEntry {
    ListedEntry {
        content,
        id: entry.id,
        url: entry.url,
        title: entry.title,
        text: entry.summary.unwrap_or_default(),
        published_at: entry.published_at,
    }
}

/// Copies the channels of collections to the account's subscriptions that have no channels of their own, or
/// only to the subscription `only`. If a subscription had no channels, its channels are notified only of
/// entries that arrive from now on.
pub(super) async fn apply_collection_channels(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    only: Option<SubscriptionId>,
) -> Result<()> {
    const OF_COLLECTION: &str =
        "(SELECT c.notify FROM rss_collection c WHERE c.id = rss_subscription.collection_id)";
    let of_row = if only.is_some() { "AND id = $2" } else { "" };
    let sql = format!(
        "UPDATE rss_subscription SET notify = {OF_COLLECTION}, notified_through = CASE WHEN notify = '[]' THEN \
         COALESCE((SELECT MAX(e.id) FROM feed_entry e WHERE e.feed_id = rss_subscription.feed_id), 0) \
         ELSE notified_through END WHERE account_id = $1 {of_row} AND NOT own_notify AND notify <> {OF_COLLECTION}"
    );
    let values = [Some(Value::from(account_id)), only.map(Value::from)];
    execute(connection, &sql, values.into_iter().flatten()).await.map(drop)
}

/// Checks and sets the channels of a subscription. `None` selects the channels of the collection, which the
/// caller applies afterwards. If a subscription had no channels, its channels are notified only of entries
/// that arrive from now on.
pub(super) async fn set_channels(
    transaction: &DatabaseTransaction,
    (account_id, feed_id): (AccountId, FeedId),
    (current, channels): (&[ChannelId], Option<&[ChannelId]>),
    row: &mut rss_subscription::ActiveModel,
) -> Result<()> {
    row.own_notify = Set(channels.is_some());
    let Some(channels) = channels else { return Ok(()) };
    row.notify = Set(notices::check_notify(transaction, account_id, channels).await?);
    if current.is_empty() {
        row.notified_through = Set(last_entry(transaction, feed_id).await?);
    }
    Ok(())
}

/// Like [`set_channels`], but for a subscription that is restored. Omits channels that were deleted.
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
    set_channels(transaction, (account_id, feed_id), (&[], Some(&left)), row).await
}
