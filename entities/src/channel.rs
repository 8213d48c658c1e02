//! Notification channels of accounts. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ChannelId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "channel")]
#[expect(clippy::struct_excessive_bools, reason = "each field is a column")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ChannelId,
    pub account_id: AccountId,
    /// Protocol of the channel.
    pub kind: ChannelKind,
    /// Name given by the owner.
    pub name: String,
    /// Address, secrets, and tokens, encrypted with the deployment's key.
    pub sealed: Vec<u8>,
    /// Part of the address that is displayed to the owner.
    pub shown: String,
    pub status: ChannelStatus,
    /// Reason why the channel is off.
    pub off_reason: Option<OffReason>,
    /// Time at which the channel was switched off.
    pub off_at: Option<i64>,
    /// True if notices about credits, sign-ins, keys, and apps are sent.
    pub account_news: bool,
    /// Minutes after midnight at which the daily digest is sent. Null if notices are sent immediately.
    pub digest_minute: Option<i32>,
    /// IANA time zone of `digest_minute`.
    pub zone: String,
    /// True if the daily digest includes the content of the page Today, and is also sent on days without
    /// notices.
    pub digest_today: bool,
    /// True if the daily digest includes the highlights that are due for review, and is also sent on days
    /// with such highlights.
    pub digest_review: bool,
    /// Keyed hash of the address, for mail channels.
    pub address_hash: Option<Vec<u8>>,
    /// Time of the last secret rotation. For a day after it, messages are also signed with the previous
    /// secret.
    pub secret_rotated_at: Option<i64>,
    /// Time of the first of the consecutive failures.
    pub failing_since: Option<i64>,
    /// Consecutive messages whose delivery failed permanently.
    pub failures: i32,
    /// Consecutive responses in which the mail server reported that the address does not exist.
    pub refusals: i32,
    /// Number of confirmation links sent. Only the newest is valid.
    pub confirmations: i32,
    /// Time of the last successful delivery.
    pub last_success_at: Option<i64>,
    pub created_at: i64,
    /// Template for the text of messages. Null for the default text.
    pub template: Option<String>,
    /// Template for the title of messages about monitors. Null for the default title.
    pub title_template: Option<String>,
    /// True if messages about new entries contain their texts. Only webhooks have such messages.
    pub entry_texts: bool,
    /// True if messages about items that are saved to the library are sent.
    pub saved_items: bool,
}

/// Protocol of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum ChannelKind {
    #[sea_orm(string_value = "mail")]
    Mail,
    /// Signed webhook.
    #[sea_orm(string_value = "webhook")]
    Webhook,
    /// Topic of an ntfy server.
    #[sea_orm(string_value = "ntfy")]
    Ntfy,
    /// Slack incoming webhook.
    #[sea_orm(string_value = "slack")]
    Slack,
    /// Discord webhook.
    #[sea_orm(string_value = "discord")]
    Discord,
    /// Telegram bot.
    #[sea_orm(string_value = "telegram")]
    Telegram,
    /// Matrix chat.
    #[sea_orm(string_value = "matrix")]
    Matrix,
    /// Pushover user.
    #[sea_orm(string_value = "pushover")]
    Pushover,
    /// Application of a Gotify server.
    #[sea_orm(string_value = "gotify")]
    Gotify,
    /// Mattermost incoming webhook.
    #[sea_orm(string_value = "mattermost")]
    Mattermost,
    /// Rocket.Chat incoming webhook.
    #[sea_orm(string_value = "rocket_chat")]
    RocketChat,
    /// Microsoft Teams webhook.
    #[sea_orm(string_value = "teams")]
    Teams,
    /// Google Chat webhook.
    #[sea_orm(string_value = "google_chat")]
    GoogleChat,
    /// SMS through a gateway that accepts JSON.
    #[sea_orm(string_value = "sms")]
    Sms,
    /// Home Assistant webhook.
    #[sea_orm(string_value = "home_assistant")]
    HomeAssistant,
    /// Topic of an MQTT broker.
    #[sea_orm(string_value = "mqtt")]
    Mqtt,
    /// Configuration of an Apprise server, which forwards messages to other services.
    #[sea_orm(string_value = "apprise")]
    Apprise,
    /// Bot of a Zulip organization.
    #[sea_orm(string_value = "zulip")]
    Zulip,
    /// Webex incoming webhook.
    #[sea_orm(string_value = "webex")]
    Webex,
    /// Bot of a Lark or Feishu group.
    #[sea_orm(string_value = "lark")]
    Lark,
    /// Robot of a `DingTalk` group.
    #[sea_orm(string_value = "dingtalk")]
    DingTalk,
    /// Robot of a `WeCom` group.
    #[sea_orm(string_value = "wecom")]
    WeCom,
    /// User or group of a LINE bot.
    #[sea_orm(string_value = "line")]
    Line,
    /// Devices of a Pushbullet account.
    #[sea_orm(string_value = "pushbullet")]
    Pushbullet,
    /// Device of a Bark server.
    #[sea_orm(string_value = "bark")]
    Bark,
    /// IFTTT webhook.
    #[sea_orm(string_value = "ifttt")]
    Ifttt,
    /// Integration of a `PagerDuty` service.
    #[sea_orm(string_value = "pagerduty")]
    PagerDuty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum ChannelStatus {
    /// The owner of the address has not confirmed it, or must confirm it again.
    #[sea_orm(string_value = "unconfirmed")]
    Unconfirmed,
    /// Messages are sent.
    #[sea_orm(string_value = "active")]
    Active,
    /// No messages are sent until the channel is switched on.
    #[sea_orm(string_value = "off")]
    Off,
}

/// Reason why a channel is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum OffReason {
    /// The owner switched it off.
    #[sea_orm(string_value = "person")]
    Person,
    /// The endpoint responded with HTTP status 410.
    #[sea_orm(string_value = "gone")]
    Gone,
    /// No delivery succeeded for days.
    #[sea_orm(string_value = "failing")]
    Failing,
    /// The mail server reports that the address does not exist.
    #[sea_orm(string_value = "refused")]
    Refused,
    /// The channel exceeds the limit of the owner's plan.
    #[sea_orm(string_value = "plan")]
    Plan,
}

impl ChannelKind {
    /// All kinds, in display order.
    pub const ALL: &'static [Self] = &[
        Self::Mail,
        Self::Webhook,
        Self::Ntfy,
        Self::Slack,
        Self::Discord,
        Self::Telegram,
        Self::Matrix,
        Self::Pushover,
        Self::Gotify,
        Self::Mattermost,
        Self::RocketChat,
        Self::Teams,
        Self::GoogleChat,
        Self::Sms,
        Self::HomeAssistant,
        Self::Mqtt,
        Self::Apprise,
        Self::Zulip,
        Self::Webex,
        Self::Lark,
        Self::DingTalk,
        Self::WeCom,
        Self::Line,
        Self::Pushbullet,
        Self::Bark,
        Self::Ifttt,
        Self::PagerDuty,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Webhook => "webhook",
            Self::Ntfy => "ntfy",
            Self::Slack => "slack",
            Self::Discord => "discord",
            Self::Telegram => "telegram",
            Self::Matrix => "matrix",
            Self::Pushover => "pushover",
            Self::Gotify => "gotify",
            Self::Mattermost => "mattermost",
            Self::RocketChat => "rocket_chat",
            Self::Teams => "teams",
            Self::GoogleChat => "google_chat",
            Self::Sms => "sms",
            Self::HomeAssistant => "home_assistant",
            Self::Mqtt => "mqtt",
            Self::Apprise => "apprise",
            Self::Zulip => "zulip",
            Self::Webex => "webex",
            Self::Lark => "lark",
            Self::DingTalk => "dingtalk",
            Self::WeCom => "wecom",
            Self::Line => "line",
            Self::Pushbullet => "pushbullet",
            Self::Bark => "bark",
            Self::Ifttt => "ifttt",
            Self::PagerDuty => "pagerduty",
        }
    }
}

impl ChannelStatus {
    pub const ALL: &'static [Self] = &[Self::Unconfirmed, Self::Active, Self::Off];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unconfirmed => "unconfirmed",
            Self::Active => "active",
            Self::Off => "off",
        }
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the channels of an account.");

impl ActiveModelBehavior for ActiveModel {}
