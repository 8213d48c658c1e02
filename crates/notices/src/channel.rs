//! A channel, and a message that went to it, as their owner sees them.

use entities::channel::{self, ChannelKind, ChannelStatus, OffReason};
use entities::ids::{ChannelId, NoticeId};
use entities::notice::{self, HeldFor, NoticeKind, NoticeState};

use super::message::Content;
use kernel::clock::Millis;

/// A channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its id.
    pub id: ChannelId,
    /// How it is spoken to.
    pub kind: ChannelKind,
    /// What its owner calls it.
    pub name: String,
    /// As much of its address as is shown.
    pub shown: String,
    /// Where it stands.
    pub status: ChannelStatus,
    /// Why it is not active.
    pub off_reason: Option<OffReason>,
    /// Since when.
    pub off_at: Option<Millis>,
    /// Whether it is told of credits, sign-ins, keys and apps.
    pub account_news: bool,
    /// When everything goes in one message; none: at once.
    pub digest: Option<Digest>,
    /// The zone of a message of the day, whether there is one or not.
    pub zone: String,
    /// Since when messages do not arrive.
    pub failing_since: Option<Millis>,
    /// Messages in a row that were given up.
    pub failures: u32,
    /// When a message last arrived.
    pub last_success_at: Option<Millis>,
    /// Until when the secret before the present one signs beside it.
    pub both_secrets_until: Option<Millis>,
    /// When it was made.
    pub created_at: Millis,
}

/// The time of a message of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Minutes after midnight.
    pub minute: u16,
}

impl Digest {
    /// `HH:MM`.
    pub fn parse(text: &str) -> Option<Self> {
        let (hour, minute) = text.trim().split_once(':')?;
        let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
        (hour < 24 && minute < 60).then_some(Self { minute: hour * 60 + minute })
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
            shown: row.shown,
            status: row.status,
            off_reason: row.off_reason,
            off_at: row.off_at,
            account_news: row.account_news,
            digest: minute.map(|minute| Digest { minute }),
            zone: row.zone,
            failing_since: row.failing_since,
            failures: u32::try_from(row.failures).unwrap_or(0),
            last_success_at: row.last_success_at,
            both_secrets_until: row.secret_rotated_at.map(|at| at + super::sign::BOTH_SECRETS),
            created_at: row.created_at,
        }
    }
}

/// A message to a channel, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Its id, which it bears at every try.
    pub id: NoticeId,
    /// What it is about.
    pub kind: NoticeKind,
    /// Its first line.
    pub title: String,
    /// Where it leads.
    pub link: String,
    /// Where it stands.
    pub state: NoticeState,
    /// What it waits for, when it goes with another.
    pub held_for: Option<HeldFor>,
    /// When it is, or was, to be sent.
    pub due_at: Millis,
    /// Tries that had an end.
    pub tries: u32,
    /// When the last of them was.
    pub last_try_at: Option<Millis>,
    /// The status of the last answer.
    pub status: Option<u16>,
    /// The beginning of the last answer, or why there was none.
    pub answer: Option<String>,
}

impl From<notice::Model> for Sent {
    fn from(row: notice::Model) -> Self {
        let content = Content::read(&row.content);
        Self {
            id: row.id,
            kind: row.kind,
            title: content.title,
            link: content.link,
            state: row.state,
            held_for: row.held_for,
            due_at: row.due_at,
            tries: u32::try_from(row.tries).unwrap_or(0),
            last_try_at: row.last_try_at,
            status: row.status.and_then(|status| u16::try_from(status).ok()),
            answer: row.answer,
        }
    }
}
