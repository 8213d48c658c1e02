//! Messages received at inbox addresses. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, FeedId, InboxAddressId, InboxMessageId, ItemId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "inbox_message")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: InboxMessageId,
    pub account_id: AccountId,
    /// Address that received the message. It may have been deleted.
    pub address_id: InboxAddressId,
    /// Sender of the envelope. Empty for a notification of a mail server.
    pub envelope_sender: String,
    /// Blob of the message until it is processed. Null if the message was discarded.
    pub blob: Option<String>,
    /// Size in bytes.
    pub bytes: i64,
    /// SHA-256 of the message.
    pub content_hash: Vec<u8>,
    /// SHA-256 of the `Message-ID`, or of the message if it has none. Null until the message is processed.
    pub message_key: Option<Vec<u8>>,
    pub state: InboxMessageState,
    /// Error code of a message that waits for another attempt, or has failed.
    pub reason: Option<String>,
    pub subject: Option<String>,
    /// `From`, with name and address.
    pub sender: Option<String>,
    /// `List-Id`, which identifies a newsletter.
    pub list_id: Option<String>,
    /// URL that unsubscribes from the newsletter.
    pub unsubscribe_url: Option<String>,
    /// True if a `POST` to the URL unsubscribes (RFC 8058).
    pub one_click: bool,
    /// `Authentication-Results` of the operator's mail server.
    pub authentication: Option<String>,
    /// Names of attachments and pictures, as a JSON array.
    pub attachments: String,
    /// Item of the message. It may have been deleted.
    pub item_id: Option<ItemId>,
    pub received_at: i64,
    /// Time at which the message was processed.
    pub finished_at: Option<i64>,
    /// Feed with the entry of the message. It may have been deleted.
    pub feed_id: Option<FeedId>,
    /// Number of tracking pixels that were removed.
    pub tracking_pixels: i32,
    /// Link that confirms a subscription.
    pub confirmation_url: Option<String>,
    /// Null if the owner has not unsubscribed.
    pub unsubscribe_state: Option<UnsubscribeState>,
    /// Error code of a failed request to unsubscribe.
    pub unsubscribe_reason: Option<String>,
    /// Time of the request, or of its result.
    pub unsubscribe_at: Option<i64>,
}

/// State of a request to unsubscribe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum UnsubscribeState {
    /// A worker sends the request.
    #[sea_orm(string_value = "requested")]
    Requested,
    /// The server has accepted the request.
    #[sea_orm(string_value = "completed")]
    Completed,
    /// The server has refused the request, or did not respond.
    #[sea_orm(string_value = "failed")]
    Failed,
}

impl UnsubscribeState {
    pub const ALL: &'static [Self] = &[Self::Requested, Self::Completed, Self::Failed];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

/// State of a received message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum InboxMessageState {
    /// The message is stored and waits for a worker.
    #[sea_orm(string_value = "received")]
    Received,
    /// The message is an item of the library, an entry of a feed, or both.
    #[sea_orm(string_value = "saved")]
    Saved,
    /// The account had already received the message.
    #[sea_orm(string_value = "duplicate")]
    Duplicate,
    /// The address is muted, so the message was discarded.
    #[sea_orm(string_value = "muted")]
    Muted,
    /// The message could not be saved.
    #[sea_orm(string_value = "failed")]
    Failed,
}

impl InboxMessageState {
    pub const ALL: &'static [Self] =
        &[Self::Received, Self::Saved, Self::Duplicate, Self::Muted, Self::Failed];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Saved => "saved",
            Self::Duplicate => "duplicate",
            Self::Muted => "muted",
            Self::Failed => "failed",
        }
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the messages that an account received.");

impl ActiveModelBehavior for ActiveModel {}
