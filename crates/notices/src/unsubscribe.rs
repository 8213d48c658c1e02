//! Unsubscribe link in every mail, which works without a session. Its scope is one monitor or feed, saved items, all
//! monitors, feeds, and saved items, the daily digest, the account, or everything.

use async_recursion::async_recursion as boxed;
use entities::channel::{self, ChannelStatus};
use entities::ids::{ChannelId, MonitorId, SubscriptionId};
use entities::notice::{self, HoldReason, NoticeKind, NoticeState};
use entities::{feed, monitor, rss_rule, rss_subscription};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction,
    EntityTrait, PaginatorTrait, QueryFilter,
};
use serde::{Deserialize, Serialize};

use super::message::{Message, NoticeSubject, collects_others};
use super::{dispatch, rows, sql};
use identity::accounts;
use kernel::error::not_found;
use kernel::{Domain, Error, Result, address};

/// Context string bound into the signature of unsubscribe links.
const BINDING: &str = "end of notices";
/// Reserved ids for scopes other than a single monitor.
const MONITORS: MonitorId = MonitorId::from_u128(0);
const ACCOUNT: MonitorId = MonitorId::from_u128(1);
const EVERYTHING: MonitorId = MonitorId::from_u128(2);
const DAILY: MonitorId = MonitorId::from_u128(3);
const SAVED: MonitorId = MonitorId::from_u128(4);
/// Upper half of the reserved ids for subscriptions. The lower half is the id of the subscription.
const SUBSCRIPTIONS: u128 = 1;
/// Kinds of notices about the account.
const OF_ACCOUNT: [NoticeKind; 5] =
    [NoticeKind::Credits, NoticeKind::SignIn, NoticeKind::Key, NoticeKind::Grant, NoticeKind::ChannelOff];

/// Messages that the link of a mail stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum UnsubscribeScope {
    /// Messages about one monitor.
    Monitor(MonitorId),
    /// Messages about the new entries of one subscription.
    Subscription(SubscriptionId),
    /// Messages about all monitors, feeds, and saved items.
    Monitors,
    /// The daily digest, and the messages about monitors, feeds, and saved items that it would include.
    Daily,
    /// Messages about saved items.
    SavedItems,
    /// Messages about the account.
    Account,
    /// All messages. The address must be confirmed before messages are sent to it again.
    Everything,
}

impl UnsubscribeScope {
    /// Scope of the link in a message, which stops further messages of the same kind.
    pub(super) fn of(message: &Message) -> Self {
        if message.today.is_some() {
            return Self::Daily;
        }
        let is_news = |(kind, _): &(NoticeKind, _)| OF_ACCOUNT.contains(kind);
        if collects_others(message.kind)
            && !message.collected.is_empty()
            && message.collected.iter().all(is_news)
        {
            return Self::Account;
        }
        Self::of_kind(message.kind, message.subject)
    }

    /// Scope of the link in a message whose content is unknown.
    pub(super) fn of_kind(kind: NoticeKind, subject: NoticeSubject) -> Self {
        match (kind, subject) {
            (NoticeKind::Test, _) => Self::Everything,
            (kind, _) if OF_ACCOUNT.contains(&kind) => Self::Account,
            (NoticeKind::Saved, _) => Self::SavedItems,
            (_, NoticeSubject::Monitor(id)) => Self::Monitor(id),
            (_, NoticeSubject::Subscription(id)) => Self::Subscription(id),
            (_, NoticeSubject::Account) => Self::Monitors,
        }
    }

    fn to_id(self) -> MonitorId {
        match self {
            Self::Monitor(id) => id,
            Self::Subscription(id) => {
                MonitorId::from_u128((SUBSCRIPTIONS << 64) | u128::from(id.as_i64().cast_unsigned()))
            }
            Self::Monitors => MONITORS,
            Self::Daily => DAILY,
            Self::SavedItems => SAVED,
            Self::Account => ACCOUNT,
            Self::Everything => EVERYTHING,
        }
    }

    fn of_id(id: MonitorId) -> Self {
        match id {
            id if id == MONITORS => Self::Monitors,
            id if id == DAILY => Self::Daily,
            id if id == SAVED => Self::SavedItems,
            id if id == ACCOUNT => Self::Account,
            id if id == EVERYTHING => Self::Everything,
            id if id.as_u128() >> 64 == SUBSCRIPTIONS => {
                let number = u64::try_from(id.as_u128() & u128::from(u64::MAX)).unwrap_or(0);
                Self::Subscription(SubscriptionId::new(number.cast_signed()))
            }
            id => Self::Monitor(id),
        }
    }
}

/// Effect of an unsubscribe link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsubscription {
    /// Address to which the messages are sent.
    pub address: String,
    pub scope: StoppedMessages,
}

/// Messages that a link stops, with the names that its page displays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoppedMessages {
    /// Messages about the monitor with this name.
    Monitor(String),
    /// Messages about the feed with this title.
    Feed(String),
    /// Messages about all monitors, feeds, and saved items.
    Monitors,
    /// The daily digest, and messages about all monitors, feeds, and saved items.
    DailyDigest,
    /// Messages about saved items.
    SavedItems,
    /// Messages about the account.
    Account,
    /// All messages.
    Everything,
}

/// Rows that a link refers to.
pub(super) struct LinkTarget {
    pub(super) channel: channel::Model,
    scope: UnsubscribeScope,
    /// Monitor of the link. `None` if the link is not for a single monitor.
    pub(super) monitor: Option<monitor::Model>,
    /// Title of the feed of the link. `None` if the link is not for a single feed.
    feed_title: Option<String>,
}

impl LinkTarget {
    fn into_unsubscription(self) -> Unsubscription {
        let scope = match (self.scope, self.monitor, self.feed_title) {
            (_, Some(monitor), _) => StoppedMessages::Monitor(monitor.name),
            (_, None, Some(title)) => StoppedMessages::Feed(title),
            (UnsubscribeScope::Daily, None, None) => StoppedMessages::DailyDigest,
            (UnsubscribeScope::SavedItems, None, None) => StoppedMessages::SavedItems,
            (UnsubscribeScope::Account, None, None) => StoppedMessages::Account,
            (UnsubscribeScope::Everything, None, None) => StoppedMessages::Everything,
            (
                UnsubscribeScope::Monitors | UnsubscribeScope::Monitor(_) | UnsubscribeScope::Subscription(_),
                None,
                None,
            ) => StoppedMessages::Monitors,
        };
        Unsubscription { address: self.channel.shown, scope }
    }
}

/// Creates the link that stops messages to a channel.
pub(super) async fn link(domain: &Domain, channel_id: ChannelId, scope: UnsubscribeScope) -> Result<String> {
    let payload = [channel_id.as_bytes().as_slice(), scope.to_id().as_bytes()].concat();
    let sealed = domain.cursor_key().await?.seal(BINDING, &payload);
    Ok(format!("{}/notices/stop?link={sealed}", domain.policy().account_url))
}

/// Returns the messages that a link stops. Opening the link stops nothing.
///
/// # Errors
/// `not_found` if the link is invalid, or if its channel or monitor was deleted.
#[boxed]
pub async fn find_unsubscription(domain: &Domain, link: &str) -> Result<Unsubscription> {
    Ok(find(domain, link).await?.into_unsubscription())
}

/// Stops the messages of a link, including messages that wait to be sent. Repeating the call has no further effect.
///
/// # Errors
/// Same as for [`find_unsubscription`].
#[boxed]
pub async fn unsubscribe(domain: &Domain, link: &str) -> Result<Unsubscription> {
    let target = find(domain, link).await?;
    stop(domain, &target).await?;
    Ok(target.into_unsubscription())
}

/// Stops the messages in the scope of a link.
pub(super) async fn stop(domain: &Domain, target: &LinkTarget) -> Result<()> {
    let channel = &target.channel;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, channel.account_id).await?;
    match target.scope {
        UnsubscribeScope::Monitor(id) => remove_from_monitor(&transaction, channel, id).await?,
        UnsubscribeScope::Subscription(id) => remove_from_subscription(&transaction, channel, id).await?,
        UnsubscribeScope::Monitors => {
            set(&transaction, channel, without_saved_items()).await?;
            sql::remove_channel(&transaction, channel.account_id, channel.id).await?;
        }
        UnsubscribeScope::SavedItems => set(&transaction, channel, without_saved_items()).await?,
        UnsubscribeScope::Daily => {
            let not_daily = channel::ActiveModel {
                digest_today: Set(false),
                digest_review: Set(false),
                ..without_saved_items()
            };
            set(&transaction, channel, not_daily).await?;
            sql::remove_channel(&transaction, channel.account_id, channel.id).await?;
        }
        UnsubscribeScope::Account => {
            let without_news = channel::ActiveModel { account_news: Set(false), ..Default::default() };
            set(&transaction, channel, without_news).await?;
        }
        UnsubscribeScope::Everything => {
            let unconfirmed = channel::ActiveModel {
                account_news: Set(false),
                digest_today: Set(false),
                digest_review: Set(false),
                status: Set(ChannelStatus::Unconfirmed),
                off_reason: Set(None),
                off_at: Set(Some(domain.now())),
                ..without_saved_items()
            };
            set(&transaction, channel, unconfirmed).await?;
            sql::remove_channel(&transaction, channel.account_id, channel.id).await?;
        }
    }
    drop_waiting(&transaction, channel, target.scope).await?;
    let channel = rows::load(&transaction, channel.account_id, channel.id).await?;
    keep_digest(&transaction, domain, &channel).await?;
    transaction.commit().await?;
    Ok(())
}

fn without_saved_items() -> channel::ActiveModel {
    channel::ActiveModel { saved_items: Set(false), ..Default::default() }
}

async fn set(
    transaction: &DatabaseTransaction,
    channel: &channel::Model,
    change: channel::ActiveModel,
) -> Result<()> {
    let of_row = channel::Column::Id.eq(channel.id);
    channel::Entity::update_many().set(change).filter(of_row).exec(transaction).await?;
    Ok(())
}

/// Removes a channel from the list of a monitor. The monitor then no longer inherits the list of its group.
async fn remove_from_monitor(
    transaction: &DatabaseTransaction,
    channel: &channel::Model,
    monitor_id: MonitorId,
) -> Result<()> {
    let owned = monitor::Entity::owned_by(channel.account_id).filter(monitor::Column::Id.eq(monitor_id));
    let Some(row) = owned.one(transaction).await? else { return Ok(()) };
    let scope = monitor::ActiveModel {
        id: Set(row.id),
        notify: Set(without_channel(&row.notify, channel.id)?),
        own_notify: Set(true),
        ..Default::default()
    };
    scope.update(transaction).await?;
    Ok(())
}

/// Removes a channel from the list of a subscription, which then no longer inherits the list of its collection, and
/// from the rules that send entries of its feed.
async fn remove_from_subscription(
    transaction: &DatabaseTransaction,
    channel: &channel::Model,
    id: SubscriptionId,
) -> Result<()> {
    let Some((row, _)) = find_subscription(transaction, channel, id).await? else { return Ok(()) };
    let scope = rss_subscription::ActiveModel {
        id: Set(row.id),
        notify: Set(without_channel(&row.notify, channel.id)?),
        own_notify: Set(true),
        ..Default::default()
    };
    scope.update(transaction).await?;
    remove_from_rules(transaction, channel, id).await
}

/// Removes a channel from the rules for a subscription, and from the rules for all subscriptions.
async fn remove_from_rules(
    transaction: &DatabaseTransaction,
    channel: &channel::Model,
    id: SubscriptionId,
) -> Result<()> {
    use rss_rule::Column;
    let rules = rss_rule::Entity::owned_by(channel.account_id)
        .filter(Condition::any().add(Column::SubscriptionId.eq(id)).add(Column::SubscriptionId.is_null()))
        .filter(Column::Notify.contains(channel.id.to_string()));
    for row in rules.all(transaction).await? {
        let rule = rss_rule::ActiveModel {
            id: Set(row.id),
            notify: Set(without_channel(&row.notify, channel.id)?),
            ..Default::default()
        };
        rule.update(transaction).await?;
    }
    Ok(())
}

/// Returns a serialized list of channels without the channel `channel_id`.
fn without_channel(notify: &str, channel_id: ChannelId) -> Result<String> {
    let listed: Vec<ChannelId> = serde_json::from_str(notify).unwrap_or_default();
    let left: Vec<ChannelId> = listed.into_iter().filter(|id| *id != channel_id).collect();
    serde_json::to_string(&left).map_err(Error::internal)
}

/// Returns a subscription of the owner of a channel, with the title of its feed.
async fn find_subscription(
    connection: &impl ConnectionTrait,
    channel: &channel::Model,
    id: SubscriptionId,
) -> Result<Option<(rss_subscription::Model, String)>> {
    let owned = rss_subscription::Entity::owned_by(channel.account_id);
    let Some(row) = owned.filter(rss_subscription::Column::Id.eq(id)).one(connection).await? else {
        return Ok(None);
    };
    let Some(feed) = feed::Entity::find_by_id(row.feed_id).one(connection).await? else { return Ok(None) };
    let title = row.title.clone().or(feed.title).unwrap_or(feed.url);
    // The page of the link is public, and the URL of a feed may contain a password.
    let title = address::without_user_info(&title).into_owned();
    Ok(Some((row, title)))
}

/// Deletes the unsent messages to a channel. Their jobs then complete without sending.
async fn drop_waiting(
    transaction: &DatabaseTransaction,
    channel: &channel::Model,
    scope: UnsubscribeScope,
) -> Result<()> {
    let unsent = notice::Entity::delete_many()
        .filter(notice::Column::ChannelId.eq(channel.id))
        .filter(notice::Column::State.is_in([NoticeState::Waiting, NoticeState::Held]));
    let of_monitors = [
        NoticeKind::Change,
        NoticeKind::Failed,
        NoticeKind::Entries,
        NoticeKind::Saved,
        NoticeKind::Digest,
        NoticeKind::Several,
    ];
    let dropped = match scope {
        UnsubscribeScope::Monitor(id) => unsent.filter(notice::Column::MonitorId.eq(id)),
        UnsubscribeScope::Subscription(id) => unsent.filter(notice::Column::SubscriptionId.eq(id)),
        UnsubscribeScope::Monitors | UnsubscribeScope::Daily => {
            unsent.filter(notice::Column::Kind.is_in(of_monitors))
        }
        UnsubscribeScope::SavedItems => unsent.filter(notice::Column::Kind.eq(NoticeKind::Saved)),
        UnsubscribeScope::Account => unsent.filter(notice::Column::Kind.is_in(OF_ACCOUNT)),
        UnsubscribeScope::Everything => unsent,
    };
    dropped.exec(transaction).await?;
    Ok(())
}

/// Ensures that a digest is pending if messages still wait for one, or if the channel's digests contain Today or due
/// highlights.
async fn keep_digest(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    channel: &channel::Model,
) -> Result<()> {
    let waiting = notice::Entity::owned_by(channel.account_id)
        .filter(notice::Column::ChannelId.eq(channel.id))
        .filter(notice::Column::State.eq(NoticeState::Held))
        .filter(notice::Column::HeldFor.eq(HoldReason::Digest));
    if waiting.count(transaction).await? > 0 {
        return dispatch::ensure_digest(transaction, domain, channel).await;
    }
    dispatch::ensure_daily_digest(transaction, domain, channel).await
}

async fn find(domain: &Domain, link: &str) -> Result<LinkTarget> {
    let void = || not_found("link: the channel or the monitor is gone");
    let payload = domain.cursor_key().await?.open(BINDING, link).ok_or_else(void)?;
    let (channel_id, about) = payload.split_at_checked(16).ok_or_else(void)?;
    let channel_id = ChannelId::from_slice(channel_id).ok_or_else(void)?;
    let scope = UnsubscribeScope::of_id(MonitorId::from_slice(about).ok_or_else(void)?);
    find_target(domain, channel_id, scope).await
}

/// Loads the rows that a link refers to.
///
/// # Errors
/// `not_found` if the channel or the monitor was deleted, or the feed unfollowed.
pub(super) async fn find_target(
    domain: &Domain,
    channel_id: ChannelId,
    scope: UnsubscribeScope,
) -> Result<LinkTarget> {
    let void = || not_found("link: the channel, the monitor, or the feed is gone");
    let connection = domain.db().write();
    let channel = channel::Entity::of_any_owner(channel_id).one(connection).await?;
    let channel = channel.ok_or_else(void)?;
    let (mut monitor, mut feed_title) = (None, None);
    if let UnsubscribeScope::Monitor(id) = scope {
        let of_owner = monitor::Entity::owned_by(channel.account_id).filter(monitor::Column::Id.eq(id));
        monitor = Some(of_owner.one(connection).await?.ok_or_else(void)?);
    } else if let UnsubscribeScope::Subscription(id) = scope {
        let (_, title) = find_subscription(connection, &channel, id).await?.ok_or_else(void)?;
        feed_title = Some(title);
    }
    Ok(LinkTarget { channel, scope, monitor, feed_title })
}
