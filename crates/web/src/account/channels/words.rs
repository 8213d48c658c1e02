//! Texts for channels and their messages.

use notices::{Channel, ChannelKind, ChannelStatus, NoticeKind, NoticeState, OffReason, SentMessage};

/// Returns the name of a channel kind.
pub(super) fn kind(kind: ChannelKind) -> &'static str {
    match kind {
        ChannelKind::Mail => "E-mail",
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
        ChannelKind::Lark => "Lark or Feishu",
        ChannelKind::DingTalk => "DingTalk",
        ChannelKind::WeCom => "WeCom",
        ChannelKind::Line => "LINE",
        ChannelKind::Pushbullet => "Pushbullet",
        ChannelKind::Bark => "Bark",
        ChannelKind::Ifttt => "IFTTT",
        ChannelKind::PagerDuty => "PagerDuty",
    }
}

/// Parses the identifier of a channel kind. Returns e-mail if it is unknown.
pub(super) fn kind_of(word: &str) -> ChannelKind {
    ChannelKind::ALL.iter().copied().find(|kind| kind.as_str() == word).unwrap_or(ChannelKind::Mail)
}

/// Describes the status of a channel.
pub(super) fn status(channel: &Channel) -> &'static str {
    match (channel.status, channel.off_reason) {
        (ChannelStatus::Active, _) => "active",
        (ChannelStatus::Unconfirmed, Some(_)) => "switched off: the address does not exist",
        (ChannelStatus::Unconfirmed, None) => "waiting for confirmation",
        (ChannelStatus::Off, Some(OffReason::Gone)) => "switched off: it accepts no more messages",
        (ChannelStatus::Off, Some(OffReason::Failing)) => "switched off: nothing delivered for days",
        (ChannelStatus::Off, Some(OffReason::Plan)) => "switched off: over the plan limit",
        (ChannelStatus::Off, Some(OffReason::Person | OffReason::Refused) | None) => "off",
    }
}

/// Explains the status, and what the owner can do. `None` if there is nothing to do.
pub(super) fn advice(channel: &Channel) -> Option<&'static str> {
    match (channel.status, channel.off_reason) {
        (ChannelStatus::Active, _) | (ChannelStatus::Off, Some(OffReason::Person) | None) => None,
        (ChannelStatus::Unconfirmed, None) => Some(
            "A confirmation link was sent to this address. Nothing else is sent until its owner opens the link and presses the button.",
        ),
        (ChannelStatus::Unconfirmed, Some(_)) | (ChannelStatus::Off, Some(OffReason::Refused)) => Some(
            "The mail server says that this address does not exist. When it works again, send another link. Missed messages are saved for seven days.",
        ),
        (ChannelStatus::Off, Some(OffReason::Gone)) => Some(
            "The address answered 410 Gone: it accepts no more messages. Missed messages are saved for seven days, and sent as one message when you switch the channel on.",
        ),
        (ChannelStatus::Off, Some(OffReason::Plan)) => Some(
            "Your plan allows fewer active channels. Switch off or delete another one, then switch this one on. It is switched on automatically when your plan allows it. Missed messages are saved for seven days.",
        ),
        (ChannelStatus::Off, Some(OffReason::Failing)) => Some(
            "Five messages in a row failed, and none was delivered for three days. Missed messages are saved for seven days, and sent as one message when you switch the channel on.",
        ),
    }
}

/// Returns the subject of a message.
pub(super) fn about(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::Change => "change",
        NoticeKind::Failed => "monitor failed",
        NoticeKind::Credits => "credits",
        NoticeKind::SignIn => "sign-in",
        NoticeKind::Key => "key",
        NoticeKind::Grant => "app",
        NoticeKind::ChannelOff => "channel",
        NoticeKind::Digest => "digest",
        NoticeKind::Several => "several changes",
        NoticeKind::Summary => "summary",
        NoticeKind::Test => "test",
    }
}

/// Describes the delivery state of a message.
pub(super) fn state(sent: &SentMessage) -> &'static str {
    match (sent.state, sent.tries) {
        (NoticeState::Sent, _) => "delivered",
        (NoticeState::Failed, _) => "failed",
        (NoticeState::Held, _) => "waiting for the next message",
        (NoticeState::Gathered, _) => "part of another message",
        (NoticeState::Waiting, 0) => "sending",
        (NoticeState::Waiting, _) => "retrying",
    }
}
