//! Messages about the new entries of a subscription, and the limits on their number.

use entities::channel::{self, ChannelKind};
use entities::ids::{AccountId, ChannelId, EntryId, FeedId, SubscriptionId};
use entities::notice::NoticeKind;
use sea_orm::{ColumnTrait, ConnectionTrait, PaginatorTrait, QueryFilter};

use super::dispatch::{NewNotice, Recipients, fits_in_day, notified_channels, notify};
use super::entry_list::{EntryList, ListedEntry, limit_texts};
use super::message::{MessageContent, NoticeSubject};
use super::plain_text::{one_line, truncate};
use super::sql;
use super::text::NOTICES;
use identity::accounts::message_language;
use kernel::clock::{DAY, HOUR};
use kernel::{Domain, Millis, Result};
use language::Key;

/// Maximum number of entries that a message lists. Further entries are only counted.
pub const MAX_LISTED_ENTRIES: usize = 20;
/// Number of messages about a subscription within a day after which further messages are sent at intervals.
pub const MAX_FREQUENT_ENTRY_MESSAGES: i64 = 24;
/// Minimum interval between the messages about a subscription after [`MAX_FREQUENT_ENTRY_MESSAGES`].
const INTERVAL: Millis = HOUR;
/// Maximum number of messages about new entries of an account per UTC day. A message to several channels counts once
/// for each. A message that would exceed the number waits for the next day.
pub const MAX_ENTRY_MESSAGES_PER_DAY: i64 = 300;
/// Maximum length of the feed title that precedes the title of an entry, in characters.
const MAX_FEED_TITLE_CHARS: usize = 120;

/// New entries of a subscription, with the channels to notify.
#[derive(Clone, Debug)]
pub struct NewEntries<'a> {
    pub account_id: AccountId,
    pub subscription_id: SubscriptionId,
    pub feed_id: FeedId,
    pub channels: &'a [ChannelId],
    /// Title of the feed, as displayed to its follower.
    pub feed_title: &'a str,
    pub feed_url: &'a str,
    pub site_url: Option<&'a str>,
    /// Newest entries, oldest first, at most [`MAX_LISTED_ENTRIES`].
    pub entries: Vec<ListedEntry>,
    /// Number of all new entries.
    pub count: u64,
    /// Newest entry of the feed. Each channel gets only one message about the entries up to this one.
    pub through: EntryId,
}

/// Time before which no further message about a subscription is written to `channels`. `None` if a message can be
/// written now. Entries that arrive in the meantime are part of the next message.
pub async fn entries_wait_until(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    (account_id, subscription_id): (AccountId, SubscriptionId),
    channels: &[ChannelId],
) -> Result<Option<Millis>> {
    let now = domain.now();
    let day = now - now.rem_euclid(DAY);
    let written = sql::entry_messages_of_account(transaction, account_id, day).await?;
    let notified = notified_channels(transaction, account_id, Recipients::Listed(channels)).await?;
    if !fits_in_day(&notified, (written, MAX_ENTRY_MESSAGES_PER_DAY)) {
        return Ok(Some(day + DAY));
    }
    let (count, newest) = sql::entry_messages_of(transaction, account_id, subscription_id, now - DAY).await?;
    let next = newest.filter(|_| count >= MAX_FREQUENT_ENTRY_MESSAGES).map(|newest| newest + INTERVAL);
    Ok(next.filter(|next| *next > now))
}

/// Returns true if one of the channels gets the texts of new entries.
pub async fn wants_entry_texts(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    channels: &[ChannelId],
) -> Result<bool> {
    let wanting = channel::Entity::owned_by(account_id)
        .filter(channel::Column::Id.is_in(channels.iter().copied()))
        .filter(channel::Column::Kind.eq(ChannelKind::Webhook))
        .filter(channel::Column::EntryTexts.eq(true));
    Ok(wanting.count(connection).await? > 0)
}

/// Notifies the channels of a subscription of new entries, in a transaction that has locked the account.
pub async fn entries_arrived(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    news: NewEntries<'_>,
) -> Result<()> {
    let (account_id, subject) = (news.account_id, NoticeSubject::Subscription(news.subscription_id));
    let cause = format!("entries:{}:{}", news.subscription_id, news.through);
    let to = Recipients::Listed(news.channels);
    let content = content_of(transaction, domain, &news).await?;
    let notice = NewNotice { account_id, cause, kind: NoticeKind::Entries, subject, to, content };
    notify(transaction, domain, notice).await
}

async fn content_of(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    news: &NewEntries<'_>,
) -> Result<MessageContent> {
    let origin = &domain.policy().account_url;
    let mut entries: Vec<ListedEntry> = news.entries.iter().cloned().map(ListedEntry::cleaned).collect();
    limit_texts(&mut entries);
    let list = EntryList {
        subscription_id: news.subscription_id,
        feed_id: news.feed_id,
        feed_title: one_line(news.feed_title),
        feed_url: news.feed_url.to_owned(),
        site_url: news.site_url.map(str::to_owned),
        more: news.count.saturating_sub(entries.len() as u64),
        entries,
        has_texts: false,
    };
    let (title, link) = if let Some(entry) = list.single() {
        (entry.title.clone(), entry.link(origin))
    } else {
        let language = message_language(transaction, news.account_id).await?;
        let title = NOTICES.text(language, Key("entries-title")).with("count", news.count).get();
        (title, format!("{origin}/entries?feed={}", news.feed_id))
    };
    let title = format!("{}: {title}", truncate(&list.feed_title, MAX_FEED_TITLE_CHARS));
    Ok(MessageContent::new(&title, "", link, domain.now()).with_entries(list))
}
