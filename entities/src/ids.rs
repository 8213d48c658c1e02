//! Id types, one for each kind of object, so that ids of different kinds cannot be confused.
//!
//! UUID ids are version 7 and sort by creation time. Numeric ids count from 1 in their table. On the wire, in
//! logs, and in the database an id looks like the value it wraps.

use std::fmt;
use std::str::FromStr;

use sea_orm::TryFromU64;
use sea_orm::entity::prelude::{DbErr, DeriveValueType, Uuid};
use serde::{Deserialize, Serialize};

/// Implementations shared by all id types.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, DeriveValueType,
        )]
        #[serde(transparent)]
        pub struct $name($inner);

        impl From<$inner> for $name {
            fn from(inner: $inner) -> Self {
                Self(inner)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, formatter)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, formatter)
            }
        }

        impl FromStr for $name {
            type Err = <$inner as FromStr>::Err;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

macro_rules! uuid_ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        id! { $(#[$doc])* $name(Uuid) }

        impl $name {
            /// Greatest possible id. A list from newest to oldest starts below it.
            pub const MAX: Self = Self(Uuid::max());

            pub const fn from_u128(bits: u128) -> Self {
                Self(Uuid::from_u128(bits))
            }

            /// Creates an id from 16 bytes. Returns `None` for any other length.
            pub fn from_slice(bytes: &[u8]) -> Option<Self> {
                Uuid::from_slice(bytes).ok().map(Self)
            }

            pub const fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            pub const fn as_u128(self) -> u128 {
                self.0.as_u128()
            }

            /// Returns the wrapped UUID, for display.
            pub const fn as_uuid(self) -> Uuid {
                self.0
            }
        }

        // sea-orm requires this trait for every primary key. UUID keys cannot be created from numbers.
        impl TryFromU64 for $name {
            fn try_from_u64(_: u64) -> Result<Self, DbErr> {
                Err(DbErr::ConvertFromU64(stringify!($name)))
            }
        }
    )*};
}

macro_rules! numbered_ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        id! { $(#[$doc])* $name(i64) }

        impl $name {
            pub const fn new(number: i64) -> Self {
                Self(number)
            }

            /// Returns the wrapped number, for display.
            pub const fn as_i64(self) -> i64 {
                self.0
            }
        }
    )*};
}

uuid_ids! {
    AccountId,
    /// Id of a personal API key.
    KeyId,
    /// Id of a change of an account's e-mail address.
    EmailChangeId,
    PasskeyId,
    /// Id of a connection between an account and a person at an OpenID provider.
    OidcIdentityId,
    /// Id of a tag with a public page.
    PublicTagId,
    SavedSearchId,
    /// Id of a rule for saved items.
    LibraryRuleId,
    /// Id of a themed review of highlights.
    ThemedReviewId,
    TeamId,
    TeamInvitationId,
    /// Id of an OAuth grant.
    GrantId,
    /// Id of an agent's tool call in the log.
    AgentCallId,
    JobId,
    /// Id of an asynchronous read job of the public reader.
    ReadJobId,
    /// Id of a snapshot of an extracted text.
    SnapshotId,
    MonitorId,
    MonitorGroupId,
    MonitorRunId,
    /// Id of a change detected by a monitor.
    ChangeId,
    /// Id of an outgoing mail.
    MailId,
    /// Id of a notification channel.
    ChannelId,
    /// Id of a notice, a message to a channel.
    NoticeId,
    /// Id of a library item.
    ItemId,
    /// Id of a question to the language model.
    QuestionId,
    /// Id of a request to the language model about a passage.
    PassageId,
    /// Id of a library note.
    NoteId,
    /// Id of a library highlight.
    HighlightId,
    /// Id of a library import.
    ImportId,
    /// Id of a server that a library is imported from.
    ImportServerId,
    InboxAddressId,
    /// Id of a message received at an inbox address.
    InboxMessageId,
    /// Id of a library export.
    ExportId,
    /// Id of a library object of any type.
    ObjectId,
}

numbered_ids! {
    /// Id of a feed, independent of its followers.
    FeedId,
    /// Id of a feed entry. Ids increase in the order of discovery.
    EntryId,
    /// Id of an account's subscription to a feed.
    SubscriptionId,
    /// Id of an account's collection of feeds.
    CollectionId,
    /// Id of an account's consumer of the feed event log.
    ConsumerId,
    /// Id of an account's rule for feed entries.
    RuleId,
    /// Id of a credit ledger entry.
    CreditEntryId,
}
