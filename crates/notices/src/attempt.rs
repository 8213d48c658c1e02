//! Records the result of a delivery attempt: in the row of its message, in the row of its channel, and, if
//! the channel is switched off, in a notice to its owner through another channel.

use entities::channel::{self, ChannelKind, ChannelStatus, OffReason};
use entities::ids::NoticeId;
use entities::notice::{self, HoldReason, NoticeKind, NoticeState};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter,
    QueryOrder,
};

use super::body::ReadyMessage;
use super::dispatch::{NewNotice, Recipients, ensure_following_digest, notify};
use super::message::{MessageContent, NoticeSubject};
use super::plain_text::truncate;
use super::text::NOTICES;
use super::{schedule, sql};
use identity::accounts::{self, message_language};
use jobs::{Claimed, JobOutcome};
use kernel::clock::DAY;
use kernel::{Code, Domain, Millis, Result};
use language::Key;

/// Maximum number of characters in a stored response.
const MAX_ANSWER_CHARS: usize = 500;
/// Number of consecutive undelivered messages after which a channel is switched off, if nothing was delivered
/// for [`FAILING_PERIOD`].
const MAX_FAILURES: i32 = 5;
/// Minimum period without a delivery before a channel is switched off.
const FAILING_PERIOD: Millis = 3 * DAY;
/// Number of consecutive times that the mail server must report an unknown address before the address must be confirmed
/// again.
const MAX_REFUSALS: i32 = 2;

/// Result of a delivery attempt.
#[derive(Debug)]
pub(super) enum Attempt {
    /// The receiver accepted the message.
    Arrived { status: Option<u16>, answer: String },
    /// The receiver did not accept the message, but another attempt may succeed. `retry_after` is the delay
    /// that the receiver requests.
    Failed { status: Option<u16>, answer: String, retry_after: Option<Millis> },
    /// The mail server rejects this message.
    Refused { answer: String },
    /// The mail server does not know the address.
    NoSuchAddress { answer: String },
    /// The receiver requests that no further messages be sent.
    Gone { answer: String },
    /// There was no capacity to start the attempt. It is retried after this delay.
    Postponed(Millis),
}

/// Records the result of an attempt, and completes or postpones the job, in one transaction.
pub(super) async fn record(
    domain: &Domain,
    claimed: &Claimed,
    ready: &ReadyMessage,
    tried: Attempt,
) -> Result<JobOutcome> {
    let now = domain.now();
    let tries = ready.row.tries + 1;
    let transaction = domain.db().begin().await?;
    let outcome = match tried {
        Attempt::Arrived { status, answer } => {
            write_try(&transaction, ready, now, (NoticeState::Sent, status, &answer)).await?;
            note_success(&transaction, ready, now).await?;
            end(&transaction, domain, claimed).await?
        }
        Attempt::Failed { status, answer, retry_after } => {
            if let Some(pause) = schedule::pause(tries, retry_after) {
                write_try(&transaction, ready, now, (NoticeState::Waiting, status, &answer)).await?;
                sql::note_failure(&transaction, ready.channel.id, now, 0).await?;
                let error = (Code::SourceError, "The message was not delivered.");
                jobs::retry_in(&transaction, domain, claimed, Some(pause), error).await?
            } else {
                write_try(&transaction, ready, now, (NoticeState::Failed, status, &answer)).await?;
                note_given_up(&transaction, domain, &ready.channel).await?;
                end(&transaction, domain, claimed).await?
            }
        }
        Attempt::Refused { answer } => {
            write_try(&transaction, ready, now, (NoticeState::Failed, None, &answer)).await?;
            note_given_up(&transaction, domain, &ready.channel).await?;
            end(&transaction, domain, claimed).await?
        }
        Attempt::NoSuchAddress { answer } => {
            write_try(&transaction, ready, now, (NoticeState::Failed, None, &answer)).await?;
            note_refusal(&transaction, domain, ready).await?;
            end(&transaction, domain, claimed).await?
        }
        Attempt::Gone { answer } => {
            write_try(&transaction, ready, now, (NoticeState::Held, Some(410), &answer)).await?;
            let reason = OffReason::Gone;
            switch_off(&transaction, domain, &ready.channel, (ChannelStatus::Off, reason)).await?;
            end(&transaction, domain, claimed).await?
        }
        Attempt::Postponed(after) => jobs::snooze_in(&transaction, domain, claimed, after).await?,
    };
    transaction.commit().await?;
    Ok(outcome)
}

async fn end(transaction: &DatabaseTransaction, domain: &Domain, claimed: &Claimed) -> Result<JobOutcome> {
    jobs::complete_in(transaction, domain, claimed).await?;
    Ok(JobOutcome::Completed)
}

async fn write_try(
    transaction: &DatabaseTransaction,
    ready: &ReadyMessage,
    now: Millis,
    (state, status, answer): (NoticeState, Option<u16>, &str),
) -> Result<()> {
    let mut answer = answer.trim().to_owned();
    extract::clean::strip_controls(&mut answer);
    let mut tried = notice::ActiveModel {
        state: Set(state),
        held_for: Set((state == NoticeState::Held).then_some(HoldReason::Channel)),
        tries: Set(ready.row.tries + 1),
        last_try_at: Set(Some(now)),
        status: Set(status.map(i32::from)),
        answer: Set(Some(truncate(&answer, MAX_ANSWER_CHARS))),
        ..Default::default()
    };
    if state == NoticeState::Sent {
        (tried.sealed_body, tried.entries) = (Set(None), Set(None));
        sql::drop_collected_entries(transaction, ready.row.id).await?;
    } else if state != NoticeState::Waiting && ready.row.kind == NoticeKind::Entries {
        // The body may have the texts of the entries. Another message lists the entries.
        tried.sealed_body = Set(None);
    }
    // The monitor, the subscription, or the channel may have been deleted, and the message with it.
    let of_row = notice::Column::Id.eq(ready.row.id);
    notice::Entity::update_many().set(tried).filter(of_row).exec(transaction).await?;
    Ok(())
}

async fn note_success(transaction: &DatabaseTransaction, ready: &ReadyMessage, now: Millis) -> Result<()> {
    let good = channel::ActiveModel {
        id: Set(ready.channel.id),
        failing_since: Set(None),
        failures: Set(0),
        refusals: Set(0),
        last_success_at: Set(Some(now)),
        ..Default::default()
    };
    good.update(transaction).await?;
    Ok(())
}

/// Counts a message that was given up. After [`MAX_FAILURES`] of them without a delivery for [`FAILING_PERIOD`], the
/// channel is switched off.
async fn note_given_up(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    channel: &channel::Model,
) -> Result<()> {
    let now = domain.now();
    let Some(channel) = sql::note_failure(transaction, channel.id, now, 1).await? else { return Ok(()) };
    let is_old = channel.failing_since.is_some_and(|since| now - since >= FAILING_PERIOD);
    if channel.failures >= MAX_FAILURES && is_old {
        switch_off(transaction, domain, &channel, (ChannelStatus::Off, OffReason::Failing)).await?;
    }
    Ok(())
}

/// Counts an unknown address. After [`MAX_REFUSALS`], the address must be confirmed again.
async fn note_refusal(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    ready: &ReadyMessage,
) -> Result<()> {
    let refusals = ready.channel.refusals + 1;
    let counted = channel::ActiveModel {
        id: Set(ready.channel.id),
        refusals: Set(refusals),
        failing_since: Set(ready.channel.failing_since.or(Some(domain.now()))),
        ..Default::default()
    };
    counted.update(transaction).await?;
    if refusals >= MAX_REFUSALS {
        let off = (ChannelStatus::Unconfirmed, OffReason::Refused);
        switch_off(transaction, domain, &ready.channel, off).await?;
    }
    Ok(())
}

/// Switches off an active channel and notifies its owner through another channel. A mail channel is preferred, if it
/// gets notices about the account.
async fn switch_off(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    channel: &channel::Model,
    (status, reason): (ChannelStatus, OffReason),
) -> Result<()> {
    let now = domain.now();
    let off = channel::Entity::update_many()
        .col_expr(channel::Column::Status, sea_orm::sea_query::Expr::value(status))
        .col_expr(channel::Column::OffReason, sea_orm::sea_query::Expr::value(reason))
        .col_expr(channel::Column::OffAt, now.into())
        .filter(channel::Column::Id.eq(channel.id))
        .filter(channel::Column::Status.eq(ChannelStatus::Active))
        .exec(transaction)
        .await?;
    if off.rows_affected == 0 {
        return Ok(());
    }
    let others = channel::Entity::owned_by(channel.account_id)
        .filter(channel::Column::Status.eq(ChannelStatus::Active))
        .order_by_asc(channel::Column::Id)
        .all(transaction)
        .await?;
    let can_notify = |other: &&channel::Model| other.kind != ChannelKind::Mail || other.account_news;
    let Some(other) = others.iter().filter(can_notify).min_by_key(|other| other.kind != ChannelKind::Mail)
    else {
        return Ok(());
    };
    let why = match reason {
        OffReason::Gone => Key("off-gone"),
        OffReason::Refused => Key("off-refused"),
        OffReason::Failing | OffReason::Person | OffReason::Plan => Key("off-failing"),
    };
    let language = message_language(transaction, channel.account_id).await?;
    let link = format!("{}/settings/channels/{}", domain.policy().account_url, channel.id);
    let title = NOTICES.text(language, Key("off-title")).with("name", channel.name.as_str()).get();
    let why = NOTICES.text(language, why).get();
    let text = NOTICES.text(language, Key("off-text")).with("why", why).get();
    let news = NewNotice {
        account_id: channel.account_id,
        cause: format!("off:{}:{now}", channel.id),
        kind: NoticeKind::ChannelOff,
        subject: NoticeSubject::Account,
        to: Recipients::One(other.id),
        content: MessageContent::new(&title, &text, link, now),
    };
    notify(transaction, domain, news).await
}

/// Gives up the message of a dead job.
pub(super) async fn give_up(domain: &Domain, id: NoticeId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let row = notice::Entity::of_any_owner(id).one(&transaction).await?;
    let Some(row) = row.filter(|row| row.state == NoticeState::Waiting) else { return Ok(()) };
    accounts::lock(&transaction, row.account_id).await?;
    let mut failed =
        notice::ActiveModel { id: Set(id), state: Set(NoticeState::Failed), ..Default::default() };
    if row.kind == NoticeKind::Entries {
        failed.sealed_body = Set(None);
    }
    failed.update(&transaction).await?;
    if let Some(channel) = channel::Entity::of_any_owner(row.channel_id).one(&transaction).await? {
        if row.kind == NoticeKind::Digest {
            // The digest may be given up before it is composed, which would have submitted the next one.
            ensure_following_digest(&transaction, domain, &channel, &row).await?;
        }
        note_given_up(&transaction, domain, &channel).await?;
    }
    transaction.commit().await?;
    Ok(())
}
