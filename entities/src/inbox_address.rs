//! Secret mail addresses at which accounts receive messages. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, CollectionId, InboxAddressId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "inbox_address")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: InboxAddressId,
    pub account_id: AccountId,
    /// Part before the `@`, in lower case. Unique.
    pub local: String,
    /// Name given by the owner.
    pub name: String,
    /// Tags of the items of received messages, as a JSON array.
    pub tags: String,
    /// True if received messages are only counted and discarded.
    pub muted: bool,
    /// Time of the last accepted message.
    pub last_received_at: Option<i64>,
    /// Number of refused messages.
    pub refusals: i64,
    /// Time of the last refused message.
    pub refused_at: Option<i64>,
    /// Error code of the last refused message.
    pub refused_reason: Option<String>,
    pub created_at: i64,
    pub destination: InboxDestination,
    /// Collection for the feeds of newsletters that first arrive at this address. It may have been deleted.
    /// Null for the unsorted collection.
    pub collection_id: Option<CollectionId>,
}

/// Destination of the messages that an address receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum InboxDestination {
    /// Items of the library.
    #[default]
    #[sea_orm(string_value = "library")]
    Library,
    /// Entries of a feed, one feed per newsletter.
    #[sea_orm(string_value = "feed")]
    Feed,
    /// Items and entries.
    #[sea_orm(string_value = "both")]
    Both,
}

impl InboxDestination {
    pub const ALL: &'static [Self] = &[Self::Library, Self::Feed, Self::Both];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Library => "library",
            Self::Feed => "feed",
            Self::Both => "both",
        }
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the inbox addresses of an account.");

impl ActiveModelBehavior for ActiveModel {}
