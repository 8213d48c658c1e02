//! Channels and their messages, as returned to their owner.

use entities::channel::{self, ChannelKind, ChannelStatus, OffReason};
use entities::ids::{ChannelId, NoticeId};
use entities::notice::{self, HoldReason, NoticeKind, NoticeState};

use super::message::MessageContent;
use kernel::{Code, Error, Millis, Result};

#[expect(clippy::struct_excessive_bools, reason = "each field is an independent setting")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    pub id: ChannelId,
    pub kind: ChannelKind,
    pub name: String,
    /// Part of the address without secrets, by which its owner recognises it.
    pub masked_address: String,
    pub status: ChannelStatus,
    /// Reason why the channel was switched off. `None` if it is not off.
    pub off_reason: Option<OffReason>,
    /// Time at which the channel was switched off. `None` if it is not off.
    pub off_at: Option<Millis>,
    /// True if the channel gets notices about credits, sign-ins, keys, and apps.
    pub account_news: bool,
    /// Time of the daily digest. `None` if messages are sent immediately.
    pub digest: Option<Digest>,
    /// IANA time zone of the digest. It is stored even if there is no digest.
    pub zone: String,
    /// True if the daily digest also contains the content of the page Today.
    pub digest_today: bool,
    /// True if the daily digest also contains the highlights that are due for review.
    pub digest_review: bool,
    /// Time since which no message could be delivered.
    pub failing_since: Option<Millis>,
    /// Number of consecutive messages that were given up.
    pub failures: u32,
    /// Time at which a message was last delivered.
    pub last_success_at: Option<Millis>,
    /// Time until which messages are also signed with the previous secret.
    pub both_secrets_until: Option<Millis>,
    pub created_at: Millis,
    /// Template for the text of messages. `None` for the default text.
    pub template: Option<String>,
    /// Template for the title of messages about monitors. `None` for the default title.
    pub title_template: Option<String>,
    /// True if messages about new entries contain their texts.
    pub entry_texts: bool,
    /// True if the channel gets messages about items that are saved to the library.
    pub saved_items: bool,
}

/// Time of the daily digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Minutes after midnight.
    pub minute: u16,
}

impl Digest {
    /// Parses `HH:MM`.
    pub fn parse(text: &str) -> Option<Self> {
        let (hour, minute) = text.trim().split_once(':')?;
        let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
        (hour < 24 && minute < 60).then_some(Self { minute: hour * 60 + minute })
    }

    /// Parses the field `digest` of a request.
    ///
    /// # Errors
    /// `invalid_request` with the field.
    pub(super) fn of_field(text: &str) -> Result<Self> {
        let message = "Enter a time like 08:00.";
        Self::parse(text).ok_or_else(|| Error::new(Code::InvalidRequest, message).at("digest", message))
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:02}:{:02}", self.minute / 60, self.minute % 60)
    }
}

impl From<channel::Model> for Channel {
    fn from(row: channel::Model) -> Self {
        let minute = row.digest_minute.and_then(|minute| u16::try_from(minute).ok());
        Self {
            id: row.id,
            kind: row.kind,
            name: row.name,
            masked_address: row.shown,
            status: row.status,
            off_reason: row.off_reason,
            off_at: row.off_at,
            account_news: row.account_news,
            digest: minute.map(|minute| Digest { minute }),
            zone: row.zone,
            digest_today: row.digest_today,
            digest_review: row.digest_review,
            failing_since: row.failing_since,
            failures: u32::try_from(row.failures).unwrap_or(0),
            last_success_at: row.last_success_at,
            both_secrets_until: row.secret_rotated_at.map(|at| at + super::signature::BOTH_SECRETS),
            created_at: row.created_at,
            template: row.template,
            title_template: row.title_template,
            entry_texts: row.entry_texts,
            saved_items: row.saved_items,
        }
    }
}

/// Message to a channel, with the state of its delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentMessage {
    /// Id of the message. It is the same at every attempt.
    pub id: NoticeId,
    pub kind: NoticeKind,
    pub title: String,
    /// Link to more information.
    pub link: String,
    pub state: NoticeState,
    /// Reason why the message waits.
    pub waits_for: Option<HoldReason>,
    /// Due time of the message.
    pub due_at: Millis,
    /// Number of finished attempts.
    pub tries: u32,
    /// Time of the last attempt.
    pub last_try_at: Option<Millis>,
    /// HTTP status of the last response.
    pub status: Option<u16>,
    /// Start of the last response, or the reason why there was none.
    pub answer: Option<String>,
}

impl From<notice::Model> for SentMessage {
    fn from(row: notice::Model) -> Self {
        let content = MessageContent::of(&row);
        Self {
            id: row.id,
            kind: row.kind,
            title: content.title,
            link: content.link,
            state: row.state,
            waits_for: row.held_for,
            due_at: row.due_at,
            tries: u32::try_from(row.tries).unwrap_or(0),
            last_try_at: row.last_try_at,
            status: row.status.and_then(|status| u16::try_from(status).ok()),
            answer: row.answer,
        }
    }
}
