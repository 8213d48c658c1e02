//! What channels and their messages are told in.

use notices::{Channel, ChannelKind, ChannelStatus, NoticeKind, NoticeState, OffReason, Sent};

/// The name of a kind.
pub(super) fn kind(kind: ChannelKind) -> &'static str {
    match kind {
        ChannelKind::Mail => "Mail",
        ChannelKind::Webhook => "Webhook",
        ChannelKind::Ntfy => "ntfy",
        ChannelKind::Slack => "Slack",
        ChannelKind::Discord => "Discord",
        ChannelKind::Telegram => "Telegram",
    }
}

/// The kind of a word; mail for another.
pub(super) fn kind_of(word: &str) -> ChannelKind {
    ChannelKind::ALL.iter().copied().find(|kind| kind.as_str() == word).unwrap_or(ChannelKind::Mail)
}

/// Where a channel stands.
pub(super) fn status(channel: &Channel) -> &'static str {
    match (channel.status, channel.off_reason) {
        (ChannelStatus::Active, _) => "active",
        (ChannelStatus::Unconfirmed, Some(_)) => "switched off: the address is not known",
        (ChannelStatus::Unconfirmed, None) => "waits for confirmation",
        (ChannelStatus::Off, Some(OffReason::Gone)) => "switched off: it wants nothing any more",
        (ChannelStatus::Off, Some(OffReason::Failing)) => "switched off: nothing arrived for days",
        (ChannelStatus::Off, Some(OffReason::Plan)) => "switched off: the plan has no room for it",
        (ChannelStatus::Off, Some(OffReason::Person | OffReason::Refused) | None) => "off",
    }
}

/// What its owner should know of where it stands, and do.
pub(super) fn advice(channel: &Channel) -> Option<&'static str> {
    match (channel.status, channel.off_reason) {
        (ChannelStatus::Active, _) | (ChannelStatus::Off, Some(OffReason::Person) | None) => None,
        (ChannelStatus::Unconfirmed, None) => Some(
            "A link was mailed to this address. Nothing is sent until its owner opens it and presses the button.",
        ),
        (ChannelStatus::Unconfirmed, Some(_)) | (ChannelStatus::Off, Some(OffReason::Refused)) => Some(
            "The mail server says that there is no such address. When it works again, have another link mailed. What it misses is kept for seven days.",
        ),
        (ChannelStatus::Off, Some(OffReason::Gone)) => Some(
            "It answered 410: that it wants no messages any more. What it misses is kept for seven days, and sent in one message when you switch it on.",
        ),
        (ChannelStatus::Off, Some(OffReason::Plan)) => Some(
            "Your plan has room for fewer active channels. Switch another one off or delete it, then switch this one on; it is switched on by itself when your plan has more room. What it misses is kept for seven days.",
        ),
        (ChannelStatus::Off, Some(OffReason::Failing)) => Some(
            "Five messages in a row did not arrive, and nothing did for three days. What it misses is kept for seven days, and sent in one message when you switch it on.",
        ),
    }
}

/// What a message is about.
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

/// What became of a message.
pub(super) fn state(sent: &Sent) -> &'static str {
    match (sent.state, sent.tries) {
        (NoticeState::Sent, _) => "arrived",
        (NoticeState::Failed, _) => "given up",
        (NoticeState::Held, _) => "goes with a later message",
        (NoticeState::Gathered, _) => "went with another message",
        (NoticeState::Waiting, 0) => "on its way",
        (NoticeState::Waiting, _) => "is tried again",
    }
}
