//! Writes notices: one row for each event and channel, in the transaction of the event.

use entities::account;
use entities::channel::{self, ChannelKind, ChannelStatus, OffReason};
use entities::ids::{AccountId, ChannelId, MonitorId, NoticeId};
use entities::notice::{self, HoldReason, NoticeKind, NoticeState};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};

use super::channel::Digest;
use super::message::{MessageContent, NoticeSubject, may_wait_for_digest};
use super::text::NOTICES;
use super::{schedule, sql};
use identity::accounts::message_language;
use jobs::{JobKind, NewJob};
use kernel::clock::{DAY, HOUR};
use kernel::tiers::Tier;
use kernel::{Domain, Error, Millis, Result};
use language::Key;

/// Maximum number of separate messages about a monitor within a day. Further changes are combined.
const MAX_SEPARATE_MESSAGES: i64 = 4;
/// Interval between the combined messages about a monitor.
const COMBINED_INTERVAL: Millis = 6 * HOUR;

/// Notice to write.
pub(super) struct NewNotice<'a> {
    pub(super) account_id: AccountId,
    /// Key of the event that causes the message. There is one message for each event and channel.
    pub(super) cause: String,
    pub(super) kind: NoticeKind,
    pub(super) subject: NoticeSubject,
    pub(super) to: Recipients<'a>,
    pub(super) content: MessageContent,
}

/// Channels to notify.
#[derive(Clone, Copy)]
pub(super) enum Recipients<'a> {
    /// Channels that a monitor or a subscription lists.
    Listed(&'a [ChannelId]),
    /// Channels that get messages about saved items, except the channels in `except`.
    SavedItems { except: &'a [ChannelId] },
    /// Channels that get notices about the account. Mail to the address `but_mail_to` is excluded, because
    /// its owner is notified separately.
    Account { but_mail_to: Option<&'a str> },
    /// A single channel.
    One(ChannelId),
}

/// Time at which a message is sent: now, or after a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DispatchTime {
    Now,
    Hold(HoldReason),
}

/// Writes a notice for each of its channels. Nothing is written for unconfirmed channels, for channels that their
/// owner switched off, or a second time for the same event.
pub(super) async fn notify(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    news: NewNotice<'_>,
) -> Result<()> {
    notify_from(transaction, domain, news, domain.now()).await
}

/// Like [`notify`], but separate messages are not sent before `not_before`.
pub(super) async fn notify_from(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    news: NewNotice<'_>,
    not_before: Millis,
) -> Result<()> {
    let not_before = not_before.max(domain.now());
    for channel in audience(transaction, news.account_id, news.to).await? {
        let Some(route) = route(transaction, domain, &channel, &news).await? else { continue };
        let row = NoticeRow {
            channel: &channel,
            cause: news.cause.clone(),
            kind: news.kind,
            subject: news.subject,
            content: &news.content,
            due_at: not_before,
            waits_for: match route {
                DispatchTime::Now => None,
                DispatchTime::Hold(waits_for) => Some(waits_for),
            },
        };
        if write(transaction, domain, row).await?.is_none() {
            continue;
        }
        match route {
            DispatchTime::Hold(HoldReason::Digest) => ensure_digest(transaction, domain, &channel).await?,
            DispatchTime::Hold(HoldReason::Several) => {
                let Some(monitor_id) = news.subject.monitor_id() else { continue };
                let until = sql::snoozed_until(transaction, channel.id, monitor_id, domain.now()).await?;
                ensure_several(
                    transaction,
                    domain,
                    &channel,
                    (monitor_id, &news.content),
                    (until, not_before),
                )
                .await?;
            }
            DispatchTime::Hold(HoldReason::Channel) | DispatchTime::Now => {}
        }
    }
    Ok(())
}

/// Returns the channels for which a notice is written.
pub(super) async fn notified_channels(
    transaction: &impl ConnectionTrait,
    account_id: AccountId,
    to: Recipients<'_>,
) -> Result<Vec<ChannelId>> {
    let channels = audience(transaction, account_id, to).await?;
    Ok(channels.iter().filter(|channel| is_notified(channel)).map(|channel| channel.id).collect())
}

/// True if a message to each of these channels fits within the daily limit `most`, of which `written` messages are
/// used. The first message of a day always fits, so that a message to more channels than `most` is not postponed every
/// day.
pub(super) fn fits_in_day(channels: &[ChannelId], (written, most): (i64, i64)) -> bool {
    let new = i64::try_from(channels.len()).unwrap_or(i64::MAX);
    written == 0 || written.saturating_add(new) <= most
}

/// Returns false for an unconfirmed channel, and for a channel that its owner switched off.
fn is_notified(channel: &channel::Model) -> bool {
    !matches!(
        (channel.status, channel.off_reason),
        (ChannelStatus::Off, Some(OffReason::Person)) | (ChannelStatus::Unconfirmed, None)
    )
}

async fn audience(
    transaction: &impl ConnectionTrait,
    account_id: AccountId,
    to: Recipients<'_>,
) -> Result<Vec<channel::Model>> {
    let all = channel::Entity::owned_by(account_id).order_by_asc(channel::Column::Id);
    Ok(match to {
        Recipients::Listed([]) => Vec::new(),
        Recipients::Listed(ids) => {
            all.filter(channel::Column::Id.is_in(ids.iter().copied())).all(transaction).await?
        }
        Recipients::One(id) => all.filter(channel::Column::Id.eq(id)).all(transaction).await?,
        Recipients::SavedItems { except } => {
            let recipients = all.filter(channel::Column::SavedItems.eq(true)).all(transaction).await?;
            recipients.into_iter().filter(|row| !except.contains(&row.id)).collect()
        }
        Recipients::Account { but_mail_to } => {
            let recipients = all.filter(channel::Column::AccountNews.eq(true)).all(transaction).await?;
            let is_excluded = |row: &channel::Model| {
                row.kind == ChannelKind::Mail && but_mail_to.is_some_and(|address| address == row.shown)
            };
            recipients.into_iter().filter(|row| !is_excluded(row)).collect()
        }
    })
}

/// Determines whether a notice is sent to a channel immediately or waits. `None` if the channel does not get
/// it.
async fn route(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    channel: &channel::Model,
    news: &NewNotice<'_>,
) -> Result<Option<DispatchTime>> {
    if !is_notified(channel) {
        return Ok(None);
    }
    if channel.status != ChannelStatus::Active {
        return Ok(Some(DispatchTime::Hold(HoldReason::Channel)));
    }
    if let Some(monitor_id) = news.subject.monitor_id()
        && sql::snoozed_until(transaction, channel.id, monitor_id, domain.now()).await?.is_some()
    {
        return Ok(Some(DispatchTime::Hold(HoldReason::Several)));
    }
    if may_wait_for_digest(news.kind) && channel.digest_minute.is_some() {
        return Ok(Some(DispatchTime::Hold(HoldReason::Digest)));
    }
    if let (NoticeKind::Change, Some(monitor_id)) = (news.kind, news.subject.monitor_id()) {
        let since = domain.now() - DAY;
        let (count, _) = sql::messages_of(transaction, channel.id, monitor_id, since).await?;
        if count >= MAX_SEPARATE_MESSAGES {
            return Ok(Some(DispatchTime::Hold(HoldReason::Several)));
        }
    }
    if channel.kind == ChannelKind::Mail && !has_mail_left(transaction, domain, news.account_id).await? {
        return Ok(Some(DispatchTime::Hold(HoldReason::Digest)));
    }
    Ok(Some(DispatchTime::Now))
}

/// True if the plan allows another mail today. Mails of all kinds are counted.
pub(super) async fn has_mail_left(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
) -> Result<bool> {
    let owner = account::Entity::find_by_id(account_id).one(transaction).await?;
    let tier = owner.and_then(|owner| Tier::parse(&owner.tier)).unwrap_or_default();
    let most = u64::from(domain.policy().tiers.of(tier).mails_per_day);
    Ok(sql::mails_today(transaction, account_id, domain.now()).await? < most)
}

/// Row of a message to write.
pub(super) struct NoticeRow<'a> {
    pub(super) channel: &'a channel::Model,
    pub(super) cause: String,
    pub(super) kind: NoticeKind,
    pub(super) subject: NoticeSubject,
    pub(super) content: &'a MessageContent,
    pub(super) due_at: Millis,
    pub(super) waits_for: Option<HoldReason>,
}

/// Inserts a message and, unless it waits, its job. `None` if there is already a message for this event.
pub(super) async fn write(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    row: NoticeRow<'_>,
) -> Result<Option<NoticeId>> {
    let now = domain.now();
    let id: NoticeId = domain.new_id();
    let state = if row.waits_for.is_some() { NoticeState::Held } else { NoticeState::Waiting };
    let model = notice::ActiveModel {
        id: Set(id),
        account_id: Set(row.channel.account_id),
        channel_id: Set(row.channel.id),
        cause: Set(row.cause.clone()),
        kind: Set(row.kind),
        monitor_id: Set(row.subject.monitor_id()),
        subscription_id: Set(row.subject.subscription_id()),
        content: Set(serde_json::to_string(row.content).map_err(Error::internal)?),
        entries: Set(entries_column(&row)?),
        sealed_body: Set(None),
        state: Set(state),
        held_for: Set(row.waits_for),
        gathered_by: Set(None),
        due_at: Set(row.due_at),
        tries: Set(0),
        last_try_at: Set(None),
        status: Set(None),
        answer: Set(None),
        created_at: Set(now),
    };
    let on_conflict =
        OnConflict::columns([notice::Column::ChannelId, notice::Column::Cause]).do_nothing().to_owned();
    let written =
        notice::Entity::insert(model).on_conflict(on_conflict).exec_without_returning(transaction).await?;
    if written == 0 {
        return Ok(None);
    }
    if state == NoticeState::Waiting {
        // The caller that commits cannot push the job, so the next tick pushes it.
        let job = NewJob::new(JobKind::Notice, id.to_string()).run_at(row.due_at.max(now + 1));
        jobs::submit(transaction, domain, job).await?;
    }
    Ok(Some(id))
}

/// Serializes the new entries that a message lists. Their texts are included only for a webhook that is notified
/// immediately.
fn entries_column(row: &NoticeRow<'_>) -> Result<Option<String>> {
    let channel = row.channel;
    let has_texts = channel.kind == ChannelKind::Webhook && channel.entry_texts && row.waits_for.is_none();
    row.content.new_entries.as_ref().map(|list| list.with_texts(has_texts).to_column()).transpose()
}

/// Ensures that a digest of the channel is pending. There is one digest per local date. If today's digest was already
/// sent, tomorrow's digest is ensured.
pub(super) async fn ensure_digest(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    channel: &channel::Model,
) -> Result<()> {
    ensure_digest_except(transaction, domain, channel, None).await
}

/// Ensures that a digest is pending if the digests of the channel contain Today or due highlights. Such digests are
/// sent even if they list no messages.
pub(super) async fn ensure_daily_digest(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    channel: &channel::Model,
) -> Result<()> {
    if sends_daily(channel) {
        ensure_digest(transaction, domain, channel).await?;
    }
    Ok(())
}

/// Ensures that a digest follows `row`, the digest that is being composed, if the digests of the channel do
/// not wait for a message.
pub(super) async fn ensure_following_digest(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    channel: &channel::Model,
    row: &notice::Model,
) -> Result<()> {
    if sends_daily(channel) {
        ensure_digest_except(transaction, domain, channel, Some(row.id)).await?;
    }
    Ok(())
}

/// True if the channel gets digests, and they contain the content of Today or the due highlights.
pub(super) fn sends_daily(channel: &channel::Model) -> bool {
    (channel.digest_review || channel.digest_today && channel.kind == ChannelKind::Mail)
        && channel.digest_minute.is_some()
        && channel.status == ChannelStatus::Active
}

/// Ensures that a digest of the channel other than `except` is pending.
async fn ensure_digest_except(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    channel: &channel::Model,
    except: Option<NoticeId>,
) -> Result<()> {
    const USUAL: u16 = 8 * 60;
    let minute = channel.digest_minute.and_then(|minute| u16::try_from(minute).ok()).unwrap_or(USUAL);
    let mut after = domain.now();
    loop {
        let (due_at, date) = schedule::next_digest(after, Digest { minute }, &channel.zone);
        let cause = format!("digest:{}:{date}", channel.id);
        let known = notice::Entity::owned_by(channel.account_id)
            .filter(notice::Column::ChannelId.eq(channel.id))
            .filter(notice::Column::Cause.eq(&cause))
            .one(transaction)
            .await?;
        match known {
            None => {
                let language = message_language(transaction, channel.account_id).await?;
                let title = NOTICES.text(language, Key("digest-title")).with("date", date.to_string()).get();
                let page = match channel {
                    channel if channel.digest_today => "today",
                    channel if channel.digest_review => "highlights/review",
                    _ => "monitors",
                };
                let link = format!("{}/{page}", domain.policy().account_url);
                let content = MessageContent::new(&title, "", link, due_at);
                let (kind, waits_for, subject) = (NoticeKind::Digest, None, NoticeSubject::Account);
                let row = NoticeRow { channel, cause, kind, subject, content: &content, due_at, waits_for };
                return write(transaction, domain, row).await.map(drop);
            }
            Some(row)
                if row.state == NoticeState::Waiting
                    && row.sealed_body.is_none()
                    && except != Some(row.id) =>
            {
                return Ok(());
            }
            Some(_) => after = due_at,
        }
    }
}

/// Ensures that a combined message about a monitor is pending. It is not sent before `until`, the end of a snooze, or
/// before `not_before`.
pub(super) async fn ensure_several(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    channel: &channel::Model,
    (monitor_id, about): (MonitorId, &MessageContent),
    (until, not_before): (Option<Millis>, Millis),
) -> Result<()> {
    let now = domain.now();
    let open = notice::Entity::owned_by(channel.account_id)
        .filter(notice::Column::ChannelId.eq(channel.id))
        .filter(notice::Column::MonitorId.eq(monitor_id))
        .filter(notice::Column::Kind.eq(NoticeKind::Several))
        .filter(notice::Column::State.eq(NoticeState::Waiting))
        .filter(notice::Column::SealedBody.is_null())
        .filter(notice::Column::DueAt.gte(until.unwrap_or(Millis::MIN)));
    if open.one(transaction).await?.is_some() {
        return Ok(());
    }
    let due_at = if let Some(until) = until {
        until.max(not_before)
    } else {
        let (_, newest) = sql::messages_of(transaction, channel.id, monitor_id, now - DAY).await?;
        newest.map_or(now, |newest| newest + COMBINED_INTERVAL).max(not_before)
    };
    let link = format!("{}/monitors/{monitor_id}", domain.policy().account_url);
    let language = message_language(transaction, channel.account_id).await?;
    let title = NOTICES.text(language, Key("several-title")).get();
    let mut content = MessageContent::new(&title, "", link, due_at);
    content.monitor.clone_from(&about.monitor);
    content.source.clone_from(&about.source);
    let (kind, waits_for) = (NoticeKind::Several, None);
    let cause = format!("several:{monitor_id}:{due_at}");
    let subject = NoticeSubject::Monitor(monitor_id);
    let row = NoticeRow { channel, cause, kind, subject, content: &content, due_at, waits_for };
    write(transaction, domain, row).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_message_of_a_day_fits_and_others_fit_only_with_all_of_their_channels() {
        let channels = |count: u128| (1..=count).map(ChannelId::from_u128).collect::<Vec<_>>();
        assert!(fits_in_day(&channels(2), (298, 300)) && !fits_in_day(&channels(2), (299, 300)));
        assert!(fits_in_day(&channels(301), (0, 300)), "it would be postponed every day");
        assert!(!fits_in_day(&channels(301), (1, 300)));
    }
}
