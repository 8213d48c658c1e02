//! Channels by which people are told of things. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ChannelId};

/// One row of `channel`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "channel")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ChannelId,
    /// Whose it is.
    pub account_id: AccountId,
    /// How it is spoken to.
    pub kind: ChannelKind,
    /// What its owner calls it.
    pub name: String,
    /// Address, secrets and tokens, sealed by the deployment's key.
    pub sealed: Vec<u8>,
    /// As much of the address as its owner is shown.
    pub shown: String,
    /// Where it stands.
    pub status: ChannelStatus,
    /// Why it is not active.
    pub off_reason: Option<OffReason>,
    /// Since when.
    pub off_at: Option<i64>,
    /// Whether it is told of credits, sign-ins, keys and apps.
    pub account_news: bool,
    /// Minutes after midnight at which everything goes in one message; empty: at once.
    pub digest_minute: Option<i32>,
    /// The IANA time zone of that minute.
    pub zone: String,
    /// Of a mail channel: a keyed hash of its address.
    pub address_hash: Option<Vec<u8>>,
    /// When the secret was last replaced; the one before signs beside it for a day.
    pub secret_rotated_at: Option<i64>,
    /// When the first of the failures in a row was.
    pub failing_since: Option<i64>,
    /// Messages in a row that were given up.
    pub failures: i32,
    /// Times in a row that the mail server knew no such address.
    pub refusals: i32,
    /// Confirmation links that were sent for it: the newest alone is good.
    pub confirmations: i32,
    /// When a message last arrived.
    pub last_success_at: Option<i64>,
    /// When it was made.
    pub created_at: i64,
}

/// How a channel is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum ChannelKind {
    /// Mail.
    #[sea_orm(string_value = "mail")]
    Mail,
    /// A signed webhook.
    #[sea_orm(string_value = "webhook")]
    Webhook,
    /// A topic of an ntfy server.
    #[sea_orm(string_value = "ntfy")]
    Ntfy,
    /// An incoming webhook of Slack.
    #[sea_orm(string_value = "slack")]
    Slack,
    /// A webhook of a Discord channel.
    #[sea_orm(string_value = "discord")]
    Discord,
    /// A bot of Telegram.
    #[sea_orm(string_value = "telegram")]
    Telegram,
}

/// Where a channel stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum ChannelStatus {
    /// The owner of its address has not said yes, or has to say so anew.
    #[sea_orm(string_value = "unconfirmed")]
    Unconfirmed,
    /// It is spoken to.
    #[sea_orm(string_value = "active")]
    Active,
    /// It is not, until it is switched on.
    #[sea_orm(string_value = "off")]
    Off,
}

/// Why a channel is not spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum OffReason {
    /// Its owner switched it off.
    #[sea_orm(string_value = "person")]
    Person,
    /// It answered 410.
    #[sea_orm(string_value = "gone")]
    Gone,
    /// Nothing arrived for days.
    #[sea_orm(string_value = "failing")]
    Failing,
    /// The mail server says that there is no such address.
    #[sea_orm(string_value = "refused")]
    Refused,
    /// Its owner's plan has no room for it.
    #[sea_orm(string_value = "plan")]
    Plan,
}

impl ChannelKind {
    /// All of them, in the order in which they are offered.
    pub const ALL: &'static [Self] =
        &[Self::Mail, Self::Webhook, Self::Ntfy, Self::Slack, Self::Discord, Self::Telegram];

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Webhook => "webhook",
            Self::Ntfy => "ntfy",
            Self::Slack => "slack",
            Self::Discord => "discord",
            Self::Telegram => "telegram",
        }
    }
}

impl ChannelStatus {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Unconfirmed, Self::Active, Self::Off];

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unconfirmed => "unconfirmed",
            Self::Active => "active",
            Self::Off => "off",
        }
    }
}

/// The owner is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The channels of an account.");

impl ActiveModelBehavior for ActiveModel {}
