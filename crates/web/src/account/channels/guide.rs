//! Descriptions and setup steps of the channel kinds, for people without technical knowledge.

use maud::{Markup, html};
use notices::ChannelKind;

use super::words;
use crate::language::text::Text;

/// Example of a message to an SMS gateway.
const SMS_JSON: &str = "{\"to\": \"+49…\", \"text\": \"…\"}";
/// Text before the chat id in Telegram's response.
const TELEGRAM_CHAT: &str = "\"chat\":{\"id\":";

// Setup steps of each service. Names of buttons and pages of other services are English.
const MAIL: &[Text] = &[Text("step-mail-1"), Text("step-mail-2")];
const WEBHOOK: &[Text] = &[Text("step-webhook-1"), Text("step-webhook-2"), Text("step-webhook-3")];
const NTFY: &[Text] = &[Text("step-ntfy-1"), Text("step-ntfy-2"), Text("step-ntfy-3")];
const SLACK: &[Text] = &[Text("step-slack-1"), Text("step-slack-2"), Text("step-copy-webhook")];
const DISCORD: &[Text] = &[Text("step-discord-1"), Text("step-discord-2"), Text("step-discord-3")];
const TELEGRAM: &[Text] = &[Text("step-telegram-1"), Text("step-telegram-2"), Text("step-telegram-3")];
const MATRIX: &[Text] = &[Text("step-matrix-1"), Text("step-matrix-2"), Text("step-matrix-3")];
const PUSHOVER: &[Text] = &[Text("step-pushover-1"), Text("step-pushover-2")];
const GOTIFY: &[Text] = &[Text("step-gotify-1"), Text("step-gotify-2")];
const MATTERMOST: &[Text] = &[Text("step-mattermost-1"), Text("step-mattermost-2")];
const ROCKET_CHAT: &[Text] = &[Text("step-rocket-chat-1"), Text("step-rocket-chat-2")];
const TEAMS: &[Text] = &[Text("step-teams-1"), Text("step-teams-2")];
const GOOGLE_CHAT: &[Text] = &[Text("step-google-chat-1"), Text("step-google-chat-2")];
const SMS: &[Text] = &[Text("step-sms-1"), Text("step-sms-2")];
const HOME_ASSISTANT: &[Text] =
    &[Text("step-home-assistant-1"), Text("step-home-assistant-2"), Text("step-home-assistant-3")];

const MQTT: &[Text] = &[Text("step-mqtt-1"), Text("step-mqtt-2"), Text("step-mqtt-3")];
const APPRISE: &[Text] = &[Text("step-apprise-1"), Text("step-apprise-2")];
const ZULIP: &[Text] = &[Text("step-zulip-1"), Text("step-zulip-2")];
const WEBEX: &[Text] = &[Text("step-webex-1"), Text("step-webex-2")];
const LARK: &[Text] = &[Text("step-lark-1"), Text("step-lark-2")];
const DING_TALK: &[Text] = &[Text("step-ding-talk-1"), Text("step-ding-talk-2")];
const WE_COM: &[Text] = &[Text("step-we-com-1"), Text("step-we-com-2")];
const LINE: &[Text] = &[Text("step-line-1"), Text("step-line-2")];
const PUSHBULLET: &[Text] = &[Text("step-pushbullet-1")];
const BARK: &[Text] = &[Text("step-bark-1"), Text("step-bark-2")];
const IFTTT: &[Text] = &[Text("step-ifttt-1"), Text("step-ifttt-2"), Text("step-ifttt-3")];
const PAGER_DUTY: &[Text] = &[Text("step-pager-duty-1"), Text("step-pager-duty-2")];

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

/// Renders the setup steps of a channel kind.
pub(super) fn steps(kind: ChannelKind) -> Markup {
    let steps: &[Text] = match kind {
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
    // Fluent gives braces a meaning, so texts with braces are arguments.
    let filled = |step: &Text| step.with("json", SMS_JSON).with("chat", TELEGRAM_CHAT);
    html! { ol.soft { @for step in steps { li { (filled(step)) } } } }
}
