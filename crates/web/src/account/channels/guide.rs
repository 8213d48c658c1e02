//! What the kinds of channels are, and how one finds what each of them needs, for people who never set one up.

use maud::{Markup, html};
use notices::ChannelKind;

/// What a kind is, in a sentence.
pub(super) fn summary(kind: ChannelKind) -> &'static str {
    match kind {
        ChannelKind::Mail => "Messages arrive in a mailbox.",
        ChannelKind::Webhook => "For programmers: every message is sent as JSON to a program of yours.",
        ChannelKind::Ntfy => "Messages pop up on your phone or computer, through the free app ntfy.",
        ChannelKind::Slack => "Messages appear in a channel of your Slack workspace.",
        ChannelKind::Discord => "Messages appear in a channel of your Discord server.",
        ChannelKind::Telegram => "A bot of yours writes to you, or to a group, in Telegram.",
    }
}

/// How one gets what the form asks for, step by step.
pub(super) fn steps(kind: ChannelKind) -> Markup {
    let steps: &[&str] = match kind {
        ChannelKind::Mail => &[
            "Enter the address and add the channel.",
            "Open the mail that arrives there and press the button behind its link. Nothing else is sent before.",
        ],
        ChannelKind::Webhook => &[
            "Have your program answer POST requests at an https address that can be reached from the internet.",
            "Enter that address. After this you are shown a secret, once: with it your program checks that a message is from here (Standard Webhooks 1.0).",
            "Answer with any 2xx status. Otherwise the message is tried again, eight times within a day.",
        ],
        ChannelKind::Ntfy => &[
            "Install the app ntfy on your phone, or open ntfy.sh in a browser.",
            "Subscribe to a topic there. A topic is a name that you make up. Make it long: whoever knows it can read the messages.",
            "Enter the address of the topic here: https://ntfy.sh/ followed by its name.",
        ],
        ChannelKind::Slack => &[
            "Open api.slack.com/apps, press Create New App, choose From scratch, and choose your workspace.",
            "Under Incoming Webhooks switch them on, press Add New Webhook, and choose the channel for the messages.",
            "Copy the webhook URL that is shown then, and enter it here.",
        ],
        ChannelKind::Discord => &[
            "In Discord, open the settings of the channel for the messages (the gear beside its name).",
            "Under Integrations open Webhooks, and press New Webhook. You need the permission to manage webhooks.",
            "Press Copy Webhook URL, and enter it here.",
        ],
        ChannelKind::Telegram => &[
            "In Telegram, write /newbot to @BotFather and answer its questions. It gives you the token of your bot.",
            "Write any message to your new bot, or add it to the group for the messages.",
            "Open https://api.telegram.org/bot, followed by the token and /getUpdates, in a browser. The chat is the number behind \"chat\":{\"id\":. For a public channel in which the bot is an administrator, enter @ and its name instead.",
        ],
    };
    html! { ol.soft { @for step in steps { li { (*step) } } } }
}
