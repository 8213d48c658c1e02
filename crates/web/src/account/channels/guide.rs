//! Descriptions and setup steps of the channel kinds, for people who have never set one up.

use maud::{Markup, html};
use notices::ChannelKind;

/// Description of a kind in one sentence.
pub(super) fn summary(kind: ChannelKind) -> &'static str {
    match kind {
        ChannelKind::Mail => "Messages arrive in your mailbox.",
        ChannelKind::Webhook => "For developers: every message is sent as JSON to your program.",
        ChannelKind::Ntfy => "Messages pop up on your phone or computer, through the free app ntfy.",
        ChannelKind::Slack => "Messages appear in a channel of your Slack workspace.",
        ChannelKind::Discord => "Messages appear in a channel of your Discord server.",
        ChannelKind::Telegram => "Your bot writes to you, or to a group, in Telegram.",
    }
}

/// Setup steps of a kind.
pub(super) fn steps(kind: ChannelKind) -> Markup {
    let steps: &[&str] = match kind {
        ChannelKind::Mail => &[
            "Enter the address and add the channel.",
            "Open the e-mail that you receive, follow its link and press the button. Nothing else is sent before that.",
        ],
        ChannelKind::Webhook => &[
            "Let your program answer POST requests at an https address that is reachable from the internet.",
            "Enter that address. You then see a secret, only once. With it your program verifies that messages come from here (Standard Webhooks 1.0).",
            "Answer with any 2xx status. Otherwise the message is retried, eight times within a day.",
        ],
        ChannelKind::Ntfy => &[
            "Install the ntfy app on your phone, or open ntfy.sh in a browser.",
            "Subscribe to a topic there. A topic is a name that you choose. Make it long: anyone who knows it can read the messages.",
            "Enter the address of the topic: https://ntfy.sh/ followed by its name.",
        ],
        ChannelKind::Slack => &[
            "Open api.slack.com/apps, press Create New App, choose From scratch, and choose your workspace.",
            "Under Incoming Webhooks switch them on, press Add New Webhook, and choose the channel for the messages.",
            "Copy the webhook URL and enter it here.",
        ],
        ChannelKind::Discord => &[
            "In Discord, open the settings of the channel for the messages (the gear next to its name).",
            "Under Integrations, open Webhooks and press New Webhook. You need the Manage Webhooks permission.",
            "Press Copy Webhook URL and enter it here.",
        ],
        ChannelKind::Telegram => &[
            "In Telegram, send /newbot to @BotFather and answer its questions. It gives you the token of your bot.",
            "Send any message to your new bot, or add it to the group for the messages.",
            "Open https://api.telegram.org/bot, followed by the token and /getUpdates, in a browser. The chat is the number after \"chat\":{\"id\":. For a public channel in which the bot is an administrator, enter @ and its name instead.",
        ],
    };
    html! { ol.soft { @for step in steps { li { (*step) } } } }
}
