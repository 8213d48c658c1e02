//! Messages to notification channels, one row per event and channel. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ChannelId, MonitorId, NoticeId, SubscriptionId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "notice")]
pub struct Model {
    /// UUID version 7, sent with every attempt.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: NoticeId,
    pub account_id: AccountId,
    /// Channel of the message.
    pub channel_id: ChannelId,
    /// Key of the event that caused the message. There is at most one message per event and channel.
    pub cause: String,
    pub kind: NoticeKind,
    /// Monitor that the message concerns.
    pub monitor_id: Option<MonitorId>,
    /// Subscription that the message concerns.
    pub subscription_id: Option<SubscriptionId>,
    /// Content as JSON.
    pub content: String,
    /// New entries that the message lists, as JSON. Null if it lists none, and after it was sent.
    pub entries: Option<String>,
    /// Encrypted bytes of the message, created on the first attempt and reused for retries. Null after it was sent.
    pub sealed_body: Option<Vec<u8>>,
    pub state: NoticeState,
    /// Reason why the message is deferred. Null if it is not deferred.
    pub held_for: Option<HoldReason>,
    /// Message into which this message was merged.
    pub gathered_by: Option<NoticeId>,
    /// Due time.
    pub due_at: i64,
    /// Completed delivery attempts.
    pub tries: i32,
    /// Time of the last attempt.
    pub last_try_at: Option<i64>,
    /// HTTP status of the last response.
    pub status: Option<i32>,
    /// Beginning of the last response, or the reason why no response was received.
    pub answer: Option<String>,
    /// Time of the event that caused the message.
    pub created_at: i64,
}

/// Kind of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum NoticeKind {
    /// A monitor detected a change.
    #[sea_orm(string_value = "change")]
    Change,
    /// A monitor was stopped after repeated failures.
    #[sea_orm(string_value = "failed")]
    Failed,
    /// A feed has new entries.
    #[sea_orm(string_value = "entries")]
    Entries,
    /// An item was saved to the library.
    #[sea_orm(string_value = "saved")]
    Saved,
    /// Most or all of a month's credits are used.
    #[sea_orm(string_value = "credits")]
    Credits,
    /// Sign-in from an unknown browser.
    #[sea_orm(string_value = "sign_in")]
    SignIn,
    /// An API key was created.
    #[sea_orm(string_value = "key")]
    Key,
    /// An app was granted access.
    #[sea_orm(string_value = "grant")]
    Grant,
    /// Another channel was switched off.
    #[sea_orm(string_value = "channel_off")]
    ChannelOff,
    /// Daily digest.
    #[sea_orm(string_value = "digest")]
    Digest,
    /// Several changes of a monitor in one message.
    #[sea_orm(string_value = "several")]
    Several,
    /// Summary of the messages that a channel missed while it was off.
    #[sea_orm(string_value = "summary")]
    Summary,
    /// Test message requested by the owner.
    #[sea_orm(string_value = "test")]
    Test,
}

/// State of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum NoticeState {
    /// Waits for its first attempt or a retry.
    #[sea_orm(string_value = "waiting")]
    Waiting,
    /// Deferred, to be merged into another message.
    #[sea_orm(string_value = "held")]
    Held,
    /// Merged into another message.
    #[sea_orm(string_value = "gathered")]
    Gathered,
    /// Delivered.
    #[sea_orm(string_value = "sent")]
    Sent,
    /// Failed permanently.
    #[sea_orm(string_value = "failed")]
    Failed,
}

/// Reason why a message is deferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum HoldReason {
    /// Waits for the daily digest.
    #[sea_orm(string_value = "digest")]
    Digest,
    /// Waits for the combined message of its monitor.
    #[sea_orm(string_value = "several")]
    Several,
    /// Waits until the channel is switched on.
    #[sea_orm(string_value = "channel")]
    Channel,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the messages of an account.");

impl ActiveModelBehavior for ActiveModel {}
