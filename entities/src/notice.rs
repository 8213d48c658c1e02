//! Messages to channels: one row for each cause and channel. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ChannelId, MonitorId, NoticeId};

/// One row of `notice`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "notice")]
pub struct Model {
    /// UUID version 7. The message bears it at every try.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: NoticeId,
    /// Whose it is.
    pub account_id: AccountId,
    /// Where it goes.
    pub channel_id: ChannelId,
    /// Why: one message a cause and channel.
    pub cause: String,
    /// What it is about.
    pub kind: NoticeKind,
    /// The monitor that it is about.
    pub monitor_id: Option<MonitorId>,
    /// JSON: what it says.
    pub content: String,
    /// The bytes that are sent, sealed; made at the first try and then kept.
    pub sealed_body: Option<Vec<u8>>,
    /// Where it stands.
    pub state: NoticeState,
    /// What a held one waits for.
    pub held_for: Option<HeldFor>,
    /// The message that it went with.
    pub gathered_by: Option<NoticeId>,
    /// When it is, or was, to be sent.
    pub due_at: i64,
    /// Tries that had an end.
    pub tries: i32,
    /// When the last of them was.
    pub last_try_at: Option<i64>,
    /// The status of the last answer.
    pub status: Option<i32>,
    /// The beginning of the last answer, or why there was none.
    pub answer: Option<String>,
    /// When its cause came about.
    pub created_at: i64,
}

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum NoticeKind {
    /// A monitor found a change.
    #[sea_orm(string_value = "change")]
    Change,
    /// A monitor was given up.
    #[sea_orm(string_value = "failed")]
    Failed,
    /// Much or all of a month's credits is used.
    #[sea_orm(string_value = "credits")]
    Credits,
    /// Somebody signed in at a browser that was not known.
    #[sea_orm(string_value = "sign_in")]
    SignIn,
    /// A key was made.
    #[sea_orm(string_value = "key")]
    Key,
    /// An app was allowed something.
    #[sea_orm(string_value = "grant")]
    Grant,
    /// Another channel was switched off.
    #[sea_orm(string_value = "channel_off")]
    ChannelOff,
    /// Everything of a day.
    #[sea_orm(string_value = "digest")]
    Digest,
    /// Several changes of a monitor that has many.
    #[sea_orm(string_value = "several")]
    Several,
    /// What a channel missed while it was off.
    #[sea_orm(string_value = "summary")]
    Summary,
    /// Its owner tries the channel.
    #[sea_orm(string_value = "test")]
    Test,
}

/// Where a message stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum NoticeState {
    /// It is to be sent, or sent again.
    #[sea_orm(string_value = "waiting")]
    Waiting,
    /// It goes with another message, later.
    #[sea_orm(string_value = "held")]
    Held,
    /// It went with another message.
    #[sea_orm(string_value = "gathered")]
    Gathered,
    /// It arrived.
    #[sea_orm(string_value = "sent")]
    Sent,
    /// It was given up.
    #[sea_orm(string_value = "failed")]
    Failed,
}

/// What a held message waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum HeldFor {
    /// The message of the day.
    #[sea_orm(string_value = "digest")]
    Digest,
    /// The message of its monitor.
    #[sea_orm(string_value = "several")]
    Several,
    /// The channel to be switched on.
    #[sea_orm(string_value = "channel")]
    Channel,
}

/// Owner, channel and monitor are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The messages of an account.");

impl ActiveModelBehavior for ActiveModel {}
