//! Ids, one type for each thing that has one, so that two of them cannot be swapped and still compile.
//!
//! Uuid ids are version 7: they sort by the time they were made. Numbers count from 1 in their table.
//! On the wire, in logs and in the database an id looks like what it wraps.

use std::fmt;
use std::str::FromStr;

use sea_orm::TryFromU64;
use sea_orm::entity::prelude::{DbErr, DeriveValueType, Uuid};
use serde::{Deserialize, Serialize};

/// What ids have in common, whatever they wrap.
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
            /// Sorts behind every id: where a list that begins with the newest begins.
            pub const MAX: Self = Self(Uuid::max());

            /// The id with these 128 bits.
            pub const fn from_u128(bits: u128) -> Self {
                Self(Uuid::from_u128(bits))
            }

            /// The id in these 16 bytes; `None` for any other number of them.
            pub fn from_slice(bytes: &[u8]) -> Option<Self> {
                Uuid::from_slice(bytes).ok().map(Self)
            }

            /// Its 16 bytes.
            pub const fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            /// Its 128 bits.
            pub const fn as_u128(self) -> u128 {
                self.0.as_u128()
            }

            /// What it wraps, for a surface that shows it.
            pub const fn as_uuid(self) -> Uuid {
                self.0
            }
        }

        // Every key must offer this; no table numbers these.
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
            /// The id with this number.
            pub const fn new(number: i64) -> Self {
                Self(number)
            }

            /// Its number, for a surface that shows it.
            pub const fn as_i64(self) -> i64 {
                self.0
            }
        }
    )*};
}

uuid_ids! {
    /// Names an account.
    AccountId,
    /// Names a personal API key.
    KeyId,
    /// Names what a person allowed an app.
    GrantId,
    /// Names a job of the engine.
    JobId,
    /// Names an asynchronous read of the public reader.
    ReadJobId,
    /// Names a text as it was extracted at one time.
    SnapshotId,
    /// Names a web monitor.
    MonitorId,
    /// Names a run of a web monitor.
    MonitorRunId,
    /// Names a change that a web monitor found.
    ChangeId,
    /// Names a mail that is to be sent.
    MailId,
    /// Names a channel by which somebody is told of things.
    ChannelId,
    /// Names a message to a channel.
    NoticeId,
    /// Names an item of a library.
    ItemId,
    /// Names a note of a library.
    NoteId,
    /// Names a highlight of a library.
    HighlightId,
    /// Names an import into a library.
    ImportId,
    /// Names an export of a library.
    ExportId,
    /// Names an object of a library, whatever its type.
    ObjectId,
}

numbered_ids! {
    /// Names a feed, whoever follows it.
    FeedId,
    /// Names an entry of a feed. Ids rise in the order of discovery.
    EntryId,
    /// Names an account's subscription to a feed.
    SubscriptionId,
    /// Names an account's collection of feeds.
    CollectionId,
    /// Names an account's consumer of what happens in its feeds.
    ConsumerId,
    /// Names an account's rule for the entries of its feeds.
    RuleId,
    /// Names an entry of the credit ledger.
    CreditEntryId,
}
