//! Texts for channels and their messages.

use notices::{Channel, ChannelKind, ChannelStatus, NoticeKind, NoticeState, OffReason, SentMessage};

use crate::language::text::Text;

/// Returns the name of a channel kind.
pub(super) fn kind(kind: ChannelKind) -> String {
    let brand = match kind {
        ChannelKind::Mail => return Text("account-email").get(),
        ChannelKind::Webhook => "Webhook",
        ChannelKind::Ntfy => "ntfy",
        ChannelKind::Slack => "Slack",
        ChannelKind::Discord => "Discord",
        ChannelKind::Telegram => "Telegram",
        ChannelKind::Matrix => "Matrix",
        ChannelKind::Pushover => "Pushover",
        ChannelKind::Gotify => "Gotify",
        ChannelKind::Mattermost => "Mattermost",
        ChannelKind::RocketChat => "Rocket.Chat",
        ChannelKind::Teams => "Microsoft Teams",
        ChannelKind::GoogleChat => "Google Chat",
        ChannelKind::Sms => "SMS",
        ChannelKind::HomeAssistant => "Home Assistant",
        ChannelKind::Mqtt => "MQTT",
        ChannelKind::Apprise => "Apprise",
        ChannelKind::Zulip => "Zulip",
        ChannelKind::Webex => "Webex",
        ChannelKind::Lark => return Text("channel-lark").get(),
        ChannelKind::DingTalk => "DingTalk",
        ChannelKind::WeCom => "WeCom",
        ChannelKind::Line => "LINE",
        ChannelKind::Pushbullet => "Pushbullet",
        ChannelKind::Bark => "Bark",
        ChannelKind::Ifttt => "IFTTT",
        ChannelKind::PagerDuty => "PagerDuty",
    };
    brand.to_owned()
}

/// Parses the identifier of a channel kind. Returns e-mail if it is unknown.
pub(super) fn kind_of(word: &str) -> ChannelKind {
    ChannelKind::ALL.iter().copied().find(|kind| kind.as_str() == word).unwrap_or(ChannelKind::Mail)
}

/// Explains the status, with advice for the owner. `None` if no advice is needed.
pub(super) fn advice(channel: &Channel) -> Option<Text> {
    match (channel.status, channel.off_reason) {
        (ChannelStatus::Active, _) | (ChannelStatus::Off, Some(OffReason::Person) | None) => None,
        (ChannelStatus::Unconfirmed, None) => Some(Text("channel-advice-confirm")),
        (ChannelStatus::Unconfirmed, Some(_)) | (ChannelStatus::Off, Some(OffReason::Refused)) => {
            Some(Text("channel-advice-address"))
        }
        (ChannelStatus::Off, Some(OffReason::Gone)) => Some(Text("channel-advice-gone")),
        (ChannelStatus::Off, Some(OffReason::Plan)) => Some(Text("channel-advice-plan")),
        (ChannelStatus::Off, Some(OffReason::Failing)) => Some(Text("channel-advice-failing")),
    }
}

/// Returns the subject of a message.
pub(super) fn about(kind: NoticeKind) -> Text {
    match kind {
        NoticeKind::Change => Text("channel-about-change"),
        NoticeKind::Failed => Text("channel-about-failed"),
        NoticeKind::Entries => Text("channel-about-entries"),
        NoticeKind::Saved => Text("channel-about-saved"),
        NoticeKind::Credits => Text("channel-about-credits"),
        NoticeKind::SignIn => Text("channel-about-sign-in"),
        NoticeKind::Key => Text("channel-about-key"),
        NoticeKind::Grant => Text("channel-about-app"),
        NoticeKind::ChannelOff => Text("channel-about-channel"),
        NoticeKind::Digest => Text("channel-about-digest"),
        NoticeKind::Several => Text("channel-about-several"),
        NoticeKind::Summary => Text("channel-about-summary"),
        NoticeKind::Test => Text("channel-about-test"),
    }
}

/// Describes the delivery state of a message.
pub(super) fn state(sent: &SentMessage) -> Text {
    match (sent.state, sent.tries) {
        (NoticeState::Sent, _) => Text("channel-sent-delivered"),
        (NoticeState::Failed, _) => Text("channel-sent-failed"),
        (NoticeState::Held, _) => Text("channel-sent-next"),
        (NoticeState::Gathered, _) => Text("channel-sent-part"),
        (NoticeState::Waiting, 0) => Text("channel-sent-sending"),
        (NoticeState::Waiting, _) => Text("channel-sent-retrying"),
    }
}
