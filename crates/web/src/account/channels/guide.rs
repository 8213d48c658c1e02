//! Descriptions and setup steps of the channel kinds, for people without technical knowledge.

use maud::{Markup, html};
use notices::ChannelKind;

use super::words;
use crate::language::choice::tag_of_english;
use crate::language::text::Text;

// Setup steps of each service.
const MAIL: &[&str] = &[
    "Enter the address and add the channel.",
    "Open the e-mail that you receive, follow its link and press the button. Nothing else is sent before that.",
];
const WEBHOOK: &[&str] = &[
    "Let your program answer POST requests at an https address that is reachable from the internet.",
    "Enter that address. You then see a secret, only once. With it your program verifies that messages come from here (Standard Webhooks 1.0).",
    "Answer with any 2xx status. Otherwise the message is retried, eight times within a day.",
];
const NTFY: &[&str] = &[
    "Install the ntfy app on your phone, or open ntfy.sh in a browser.",
    "Subscribe to a topic there. A topic is a name that you choose. Make it long: anyone who knows it can read the messages.",
    "Enter the address of the topic: https://ntfy.sh/ followed by its name.",
];
const SLACK: &[&str] = &[
    "Open api.slack.com/apps, press Create New App, choose From scratch, and choose your workspace.",
    "Under Incoming Webhooks switch them on, press Add New Webhook, and choose the channel for the messages.",
    "Copy the webhook URL and enter it here.",
];
const DISCORD: &[&str] = &[
    "In Discord, open the settings of the channel for the messages (the gear next to its name).",
    "Under Integrations, open Webhooks and press New Webhook. You need the Manage Webhooks permission.",
    "Press Copy Webhook URL and enter it here.",
];
const TELEGRAM: &[&str] = &[
    "In Telegram, send /newbot to @BotFather and answer its questions. It gives you the token of your bot.",
    "Send any message to your new bot, or add it to the group for the messages.",
    "Open https://api.telegram.org/bot, followed by the token and /getUpdates, in a browser. The chat is the number after \"chat\":{\"id\":. For a public channel in which the bot is an administrator, enter @ and its name instead.",
];
const MATRIX: &[&str] = &[
    "Create an account for the messages on your server, sign in to it, and invite it to the room.",
    "In Element, open All settings, Help and About, Access token, and copy the token.",
    "Open the settings of the room, Advanced, and copy the internal room id. The room must not be encrypted.",
];
const PUSHOVER: &[&str] = &[
    "Sign in at pushover.net. Your user key is on the first page.",
    "Press Create an Application/API Token, give it a name, and copy its API token.",
];
const GOTIFY: &[&str] = &[
    "On your Gotify server, open Apps and create an application.",
    "Copy its token, and enter it with the address of the server. The server must be reachable from the internet.",
];
const MATTERMOST: &[&str] = &[
    "In Mattermost, open Integrations, Incoming Webhooks, and press Add Incoming Webhook.",
    "Choose the channel, save, and copy the URL.",
];
const ROCKET_CHAT: &[&str] = &[
    "In Rocket.Chat, open Administration, Integrations, New, Incoming.",
    "Switch it on, choose the channel and the user that posts, save, and copy the webhook URL.",
];
const TEAMS: &[&str] = &[
    "In Teams, open the menu of the channel and choose Workflows.",
    "Choose the template Send webhook alerts to a channel, save, and copy the URL.",
];
const GOOGLE_CHAT: &[&str] = &[
    "In Google Chat, open the menu of the space and choose Apps & integrations, Webhooks.",
    "Add a webhook and copy its URL.",
];
const SMS: &[&str] = &[
    "Choose a gateway that accepts POST requests with JSON: {\"to\": \"+49…\", \"text\": \"…\"}.",
    "Enter its address and your number. The token, if there is one, is sent as Authorization: Bearer.",
];
const HOME_ASSISTANT: &[&str] = &[
    "Create an automation with the trigger Webhook, allow POST, and clear Only accessible from the local network.",
    "Copy its URL: the address of your Home Assistant, /api/webhook/, and the id of the webhook.",
    "In the automation, the message is in trigger.json: title, message, link, type, and data.",
];

const MQTT: &[&str] = &[
    "Choose a broker that is reachable from the internet, and create a user there that may publish to one topic.",
    "Enter its address: mqtts:// and the host, with the port if it is not 8883. With mqtt:// anyone on the way can read the messages, so no password is sent.",
    "Messages are JSON: title, message, link, type, and data. With a text of your own (after creation), they are that text.",
];
const APPRISE: &[&str] = &[
    "Run an Apprise API server that is reachable from the internet, and save a configuration there under a key of your choice.",
    "Enter its address: that of the server, /notify/, and the key. Make the key long: anyone who knows it can send messages.",
];
const ZULIP: &[&str] = &[
    "In Zulip, open Personal settings, Bots, and add a bot of the type Incoming webhook.",
    "Press Generate URL for an integration, choose Slack-compatible webhook and the channel, and copy the URL.",
];
const WEBEX: &[&str] = &[
    "Open Incoming Webhooks in the Webex App Hub, and press Connect.",
    "Give it a name, choose the space, and copy the webhook URL.",
];
const LARK: &[&str] = &[
    "In the settings of the group, open Bots, and add a Custom Bot.",
    "Copy its webhook URL. If it asks for a security setting, choose custom keywords, and enter http: every message has a link.",
];
const DING_TALK: &[&str] = &[
    "In the settings of the group, open Robots, and add a Custom robot.",
    "As its security setting, choose custom keywords, and enter http: every message has a link. Then copy the webhook URL.",
];
const WE_COM: &[&str] = &[
    "In the menu of the group, add a group robot.",
    "Copy its webhook URL. Messages are at most 600 characters long.",
];
const LINE: &[&str] = &[
    "In the LINE Developers Console, create a channel of the Messaging API, and issue a long-lived channel access token.",
    "Add the bot as a friend. Your user ID is on the page Basic settings; the id of a group comes with the events of the bot.",
];
const PUSHBULLET: &[&str] =
    &["At pushbullet.com, open Settings, Account, press Create Access Token, and copy it."];
const BARK: &[&str] = &[
    "Install Bark from the App Store and open it.",
    "Copy the test address that it shows. It is that of the server, followed by the key of your device.",
];
const IFTTT: &[&str] = &[
    "In IFTTT, create an applet: If Webhooks, Receive a web request, with an event name of your choice.",
    "Open Documentation in the settings of Webhooks, and copy the URL: https://maker.ifttt.com/trigger/, the event, /with/key/, and your key.",
    "The applet gets the title as Value1, the message as Value2, and the link as Value3.",
];
const PAGER_DUTY: &[&str] = &[
    "In PagerDuty, open a service, Integrations, and add an integration of the type Events API V2.",
    "Copy its integration key and its integration URL. Messages with the same link are one alert until it is resolved.",
];

/// Describes a channel kind in one sentence.
pub(super) fn summary(kind: ChannelKind) -> String {
    let text = match kind {
        ChannelKind::Mail => Text("guide-mail"),
        ChannelKind::Webhook => Text("guide-webhook"),
        ChannelKind::Ntfy => Text("guide-ntfy"),
        ChannelKind::Slack => Text("guide-slack"),
        ChannelKind::Discord => Text("guide-discord"),
        ChannelKind::Telegram => Text("guide-telegram"),
        ChannelKind::Matrix => Text("guide-matrix"),
        ChannelKind::Pushover => Text("guide-pushover"),
        ChannelKind::Gotify => Text("guide-gotify"),
        ChannelKind::Mattermost | ChannelKind::RocketChat | ChannelKind::Teams | ChannelKind::Zulip => {
            return located(Text("guide-in-channel"), kind);
        }
        ChannelKind::GoogleChat | ChannelKind::Webex => return located(Text("guide-in-space"), kind),
        ChannelKind::Lark | ChannelKind::DingTalk | ChannelKind::WeCom => {
            return located(Text("guide-in-group"), kind);
        }
        ChannelKind::Sms => Text("guide-sms"),
        ChannelKind::HomeAssistant => Text("guide-home-assistant"),
        ChannelKind::Mqtt => Text("guide-mqtt"),
        ChannelKind::Apprise => Text("guide-apprise"),
        ChannelKind::Line => Text("guide-line"),
        ChannelKind::Pushbullet => Text("guide-pushbullet"),
        ChannelKind::Bark => Text("guide-bark"),
        ChannelKind::Ifttt => Text("guide-ifttt"),
        ChannelKind::PagerDuty => Text("guide-pager-duty"),
    };
    text.get()
}

/// Describes where the messages of a service appear.
fn located(text: Text, kind: ChannelKind) -> String {
    text.with("service", words::kind(kind)).get()
}

/// Renders the setup steps of a channel kind. They are English, like the names in the services that they repeat.
pub(super) fn steps(kind: ChannelKind) -> Markup {
    let steps: &[&str] = match kind {
        ChannelKind::Mail => MAIL,
        ChannelKind::Webhook => WEBHOOK,
        ChannelKind::Ntfy => NTFY,
        ChannelKind::Slack => SLACK,
        ChannelKind::Discord => DISCORD,
        ChannelKind::Telegram => TELEGRAM,
        ChannelKind::Matrix => MATRIX,
        ChannelKind::Pushover => PUSHOVER,
        ChannelKind::Gotify => GOTIFY,
        ChannelKind::Mattermost => MATTERMOST,
        ChannelKind::RocketChat => ROCKET_CHAT,
        ChannelKind::Teams => TEAMS,
        ChannelKind::GoogleChat => GOOGLE_CHAT,
        ChannelKind::Sms => SMS,
        ChannelKind::HomeAssistant => HOME_ASSISTANT,
        ChannelKind::Mqtt => MQTT,
        ChannelKind::Apprise => APPRISE,
        ChannelKind::Zulip => ZULIP,
        ChannelKind::Webex => WEBEX,
        ChannelKind::Lark => LARK,
        ChannelKind::DingTalk => DING_TALK,
        ChannelKind::WeCom => WE_COM,
        ChannelKind::Line => LINE,
        ChannelKind::Pushbullet => PUSHBULLET,
        ChannelKind::Bark => BARK,
        ChannelKind::Ifttt => IFTTT,
        ChannelKind::PagerDuty => PAGER_DUTY,
    };
    let language = tag_of_english();
    html! { ol.soft lang=[language] dir=[language.map(|_| "ltr")] { @for step in steps { li { (*step) } } } }
}
