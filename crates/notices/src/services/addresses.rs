//! Validates the destinations of services.

use fetch::MqttBroker;

use super::arguments::Entered;
use crate::destination::{
    Destination, MAX_WORD_CHARS, MqttOptions, access_token, checked, invalid, last, masked_url,
    refused_address, required,
};
use kernel::Result;

/// URL of the Telegram Bot API.
const TELEGRAM: &str = "https://api.telegram.org";
/// Prefixes of the webhook URLs of Slack and Discord.
const SLACK: [&str; 1] = ["https://hooks.slack.com/"];
const DISCORD: [&str; 2] = ["https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/"];
/// Prefix of the webhook URLs of Google Chat.
const GOOGLE_CHAT: [&str; 1] = ["https://chat.googleapis.com/v1/spaces/"];
/// URL of the Pushover API.
const PUSHOVER: &str = "https://api.pushover.net/1/messages.json";
/// Suffixes of the hosts of Microsoft Teams webhooks.
const TEAMS: [&str; 3] = [".webhook.office.com", ".logic.azure.com", ".powerplatform.com"];

/// Prefixes of the webhook URLs of group chats.
const WEBEX: [&str; 2] =
    ["https://webexapis.com/v1/webhooks/incoming/", "https://api.ciscospark.com/v1/webhooks/incoming/"];
const LARK: [&str; 2] =
    ["https://open.larksuite.com/open-apis/bot/v2/hook/", "https://open.feishu.cn/open-apis/bot/v2/hook/"];
const DING_TALK: [&str; 1] = ["https://oapi.dingtalk.com/robot/send?access_token="];
const WE_COM: [&str; 1] = ["https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key="];
/// Prefix of the webhook URLs of IFTTT.
const IFTTT: [&str; 1] = ["https://maker.ifttt.com/trigger/"];
/// URL of the Pushbullet API.
const PUSHBULLET: &str = "https://api.pushbullet.com/v2/pushes";
/// URL of the API for LINE bots.
const LINE: &str = "https://api.line.me/v2/bot/message/push";
/// Maximum number of characters in an access token of LINE.
const MAX_LINE_TOKEN_CHARS: usize = 400;
/// URLs of the Events API of `PagerDuty`, by region.
const PAGER_DUTY: [&str; 2] =
    ["https://events.pagerduty.com/v2/enqueue", "https://events.eu.pagerduty.com/v2/enqueue"];
/// Suffix of the path of Zulip's integration that accepts messages for Slack.
const ZULIP: &str = "/api/v1/external/slack_incoming";

/// Validates a URL on any host to which messages may be posted.
pub(super) fn any(entered: &Entered<'_>) -> Result<(Destination, String)> {
    required("address", entered.address, "Enter the address. It begins with https://.")?;
    let url = checked(entered.address, entered.settings)?;
    Ok((Destination::at(url.to_string()), masked_url(&url)))
}

pub(super) fn slack(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_prefix(entered, &SLACK, ("Slack", "https://hooks.slack.com/services/"))
}

pub(super) fn discord(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_prefix(entered, &DISCORD, ("Discord", "https://discord.com/api/webhooks/"))
}

pub(super) fn google_chat(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_prefix(entered, &GOOGLE_CHAT, ("Google Chat", GOOGLE_CHAT[0]))
}

pub(super) fn mattermost(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_path(entered, "/hooks/", "Mattermost")
}

pub(super) fn rocket_chat(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_path(entered, "/hooks/", "Rocket.Chat")
}

pub(super) fn home_assistant(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_path(entered, "/api/webhook/", "Home Assistant")
}

pub(super) fn apprise(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_path(entered, "/notify/", "Apprise")
}

pub(super) fn webex(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_prefix(entered, &WEBEX, ("Webex", WEBEX[0]))
}

pub(super) fn lark(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_prefix(entered, &LARK, ("Lark", LARK[0]))
}

pub(super) fn ding_talk(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_prefix(entered, &DING_TALK, ("DingTalk", DING_TALK[0]))
}

pub(super) fn we_com(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_prefix(entered, &WE_COM, ("WeCom", WE_COM[0]))
}

pub(super) fn ifttt(entered: &Entered<'_>) -> Result<(Destination, String)> {
    by_prefix(entered, &IFTTT, ("IFTTT", IFTTT[0]))
}

/// Validates the URL of a Zulip bot.
pub(super) fn zulip(entered: &Entered<'_>) -> Result<(Destination, String)> {
    let message = format!("Enter the URL of a Zulip bot. It contains {ZULIP}?api_key=.");
    required("address", entered.address, &message)?;
    let url = checked(entered.address, entered.settings)?;
    let has_key = url.query_pairs().any(|(name, value)| name == "api_key" && !value.is_empty());
    if !has_key || !url.path().ends_with(ZULIP) {
        return Err(invalid("address", &format!("This is not the URL of a bot. {message}")));
    }
    Ok((Destination::at(url.to_string()), masked_url(&url)))
}

/// Validates the URL of a device on a Bark server. The example text in a copied URL is removed.
pub(super) fn bark(entered: &Entered<'_>) -> Result<(Destination, String)> {
    let message =
        "Enter the address that the Bark app shows: https://api.day.app/ and the key of your device.";
    required("address", entered.address, message)?;
    let mut url = checked(entered.address, entered.settings)?;
    let key = url.path().trim_start_matches('/').split('/').next().unwrap_or_default().to_owned();
    let is_key = (10..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_key {
        return Err(invalid("address", &format!("This address has no device key. {message}")));
    }
    url.set_path(&key);
    url.set_query(None);
    url.set_fragment(None);
    Ok((Destination::at(url.to_string()), masked_url(&url)))
}

pub(super) fn pushbullet(entered: &Entered<'_>) -> Result<(Destination, String)> {
    required("token", entered.token, "Enter the access token of your Pushbullet account.")?;
    let token = access_token("token", entered.token)?;
    let masked = format!("account …{}", last(entered.token));
    Ok((Destination { token, ..Destination::at(PUSHBULLET.to_owned()) }, masked))
}

/// Validates the access token of a LINE bot, and the id of the user or group to which the bot writes.
pub(super) fn line(entered: &Entered<'_>) -> Result<(Destination, String)> {
    let (token, chat) = (entered.token, entered.recipient);
    required("token", token, "Enter the channel access token of your bot.")?;
    if token.len() > MAX_LINE_TOKEN_CHARS || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(invalid(
            "token",
            "This is not a channel access token from LINE. Copy the long-lived one.",
        ));
    }
    let id = chat.strip_prefix(['U', 'C', 'R']).unwrap_or_default();
    if id.len() != 32 || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let message = "Enter the id of a user, group, or room: U, C, or R, and 32 letters and digits.";
        return Err(invalid("chat", message));
    }
    let masked = format!("chat …{}, bot …{}", last(chat), last(token));
    let (token, recipient) = (Some(token.to_owned()), Some(chat.to_owned()));
    Ok((Destination { recipient, token, ..Destination::at(LINE.to_owned()) }, masked))
}

/// Validates the URL of a region of the Events API, and the key of an integration.
pub(super) fn pager_duty(entered: &Entered<'_>) -> Result<(Destination, String)> {
    let message = format!("Enter the integration URL that PagerDuty shows: {}.", PAGER_DUTY.join(" or "));
    required("address", entered.address, &message)?;
    let url = checked(entered.address, entered.settings)?;
    if !PAGER_DUTY.contains(&url.as_str()) {
        return Err(invalid("address", &format!("This is not an integration URL. {message}")));
    }
    let key = entered.token;
    if key.len() != 32 || !key.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        let message = "Enter the integration key (Events API v2) of a service: 32 letters and digits.";
        return Err(invalid("token", message));
    }
    let masked = format!("integration …{} on {}", last(key), url.host_str().unwrap_or_default());
    Ok((Destination { token: Some(key.to_owned()), ..Destination::at(url.to_string()) }, masked))
}

pub(super) fn teams(entered: &Entered<'_>) -> Result<(Destination, String)> {
    required("address", entered.address, "Enter the webhook URL that Teams shows.")?;
    let url = checked(entered.address, entered.settings)?;
    let host = url.host_str().unwrap_or_default();
    if !TEAMS.iter().any(|end| host.ends_with(end)) {
        let message = "This is not a webhook URL from Teams. Create one in Teams with the template “Send webhook alerts to a \
                       channel”, and copy its URL.";
        return Err(invalid("address", message));
    }
    Ok((Destination::at(url.to_string()), masked_url(&url)))
}

/// Validates the URL of an SMS gateway, which accepts JSON with `to` and `text`.
pub(super) fn sms(entered: &Entered<'_>) -> Result<(Destination, String)> {
    let (destination, masked) = any(entered)?;
    let number: String =
        entered.recipient.chars().filter(|c| !matches!(c, ' ' | '-' | '/' | '(' | ')')).collect();
    let digits = number.strip_prefix('+').unwrap_or_default();
    if !(6..=15).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let message = "Enter the telephone number with its country code, like +49 170 1234567.";
        return Err(invalid("chat", message));
    }
    let token = access_token("token", entered.token)?;
    let masked = format!("…{} by {masked}", last(&number));
    Ok((Destination { recipient: Some(number), token, ..destination }, masked))
}

/// Validates the URL of a Gotify server. Messages are posted to the path `/message` below it.
pub(super) fn gotify(entered: &Entered<'_>) -> Result<(Destination, String)> {
    required("address", entered.address, "Enter the address of your Gotify server.")?;
    required("token", entered.token, "Enter the token of an application on your Gotify server.")?;
    let mut url = checked(entered.address, entered.settings)?;
    let masked = masked_url(&url);
    let path = format!("{}/message", url.path().trim_end_matches('/').trim_end_matches("/message"));
    url.set_path(&path);
    url.set_query(None);
    url.set_fragment(None);
    let token = access_token("token", entered.token)?;
    Ok((Destination { token, ..Destination::at(url.to_string()) }, masked))
}

pub(super) fn pushover(entered: &Entered<'_>) -> Result<(Destination, String)> {
    let is_key = |text: &str| text.len() == 30 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    for (field, key, noun) in
        [("token", entered.token, "API token of an application"), ("chat", entered.recipient, "user key")]
    {
        if !is_key(key) {
            let message = format!("Enter the {noun} from pushover.net: 30 letters and digits.");
            return Err(invalid(field, &message));
        }
    }
    let masked = format!("user …{}, application …{}", last(entered.recipient), last(entered.token));
    let (token, recipient) = (Some(entered.token.to_owned()), Some(entered.recipient.to_owned()));
    Ok((Destination { recipient, token, ..Destination::at(PUSHOVER.to_owned()) }, masked))
}

/// Validates the URL of a Matrix server and the id of a chat on it. The URL of the events of the chat is
/// stored, and each message is put to a path below it.
pub(super) fn matrix(entered: &Entered<'_>) -> Result<(Destination, String)> {
    required("address", entered.address, "Enter the address of your Matrix server.")?;
    required("token", entered.token, "Enter the access token of the account that sends the messages.")?;
    let mut url = checked(entered.address, entered.settings)?;
    let chat = entered.recipient;
    let is_chat =
        chat.starts_with('!') && chat.len() <= 255 && chat.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_chat {
        let message = "This is not a room. Enter its internal ID, which begins with “!”, from the settings of the room.";
        return Err(invalid("chat", message));
    }
    let token = access_token("token", entered.token)?;
    let masked = format!("room …{} on {}", last(chat), url.host_str().unwrap_or_default());
    let steps = ["_matrix", "client", "v3", "rooms", chat, "send", "m.room.message"];
    if let Ok(mut path) = url.path_segments_mut() {
        path.clear().extend(steps);
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok((Destination { token, ..Destination::at(url.to_string()) }, masked))
}

/// Validates the address of an MQTT broker, the topic of the messages, and the user who publishes them.
pub(super) fn mqtt(entered: &Entered<'_>) -> Result<(Destination, String)> {
    required("address", entered.address, "Enter the address of the broker. It begins with mqtts://.")?;
    let broker = MqttBroker::parse(entered.address, entered.settings).map_err(refused_address)?;
    let (topic, user, password) = (entered.recipient, entered.mqtt.user.trim(), entered.token);
    required("chat", topic, "Enter the topic of the messages.")?;
    let is_valid = |text: &str| text.chars().count() <= MAX_WORD_CHARS && !text.contains(char::is_control);
    if !is_valid(topic) || topic.contains(['+', '#']) || topic.starts_with('$') {
        let message = "This is not a topic to publish to. Enter at most 200 characters, without + and #, like home/carrel.";
        return Err(invalid("chat", message));
    }
    for (field, text) in [("user", user), ("token", password)] {
        if !is_valid(text) {
            return Err(invalid(field, "Enter at most 200 characters on one line."));
        }
    }
    if !password.is_empty() {
        required("user", user, "Enter the user name for this password.")?;
        if !broker.may_send_password(entered.settings) {
            let message = "A password is sent only over TLS. Use an address that begins with mqtts://.";
            return Err(invalid("address", message));
        }
    }
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let masked = format!("topic …{} on {}", last(topic), broker.host_port());
    let options = MqttOptions { user: given(user), qos_1: !entered.mqtt.qos_0, retain: entered.mqtt.retain };
    let destination = Destination {
        recipient: given(topic),
        token: given(password),
        mqtt: Some(options),
        ..Destination::at(entered.address.to_owned())
    };
    Ok((destination, masked))
}

/// Validates the webhook URL of a self-hosted service by its path.
fn by_path(entered: &Entered<'_>, path: &str, service: &str) -> Result<(Destination, String)> {
    let message = format!("Enter the webhook URL that {service} shows. It contains {path}.");
    required("address", entered.address, &message)?;
    let url = checked(entered.address, entered.settings)?;
    let is_hook = url.path().split_once(path).is_some_and(|(_, name)| !name.is_empty());
    if !is_hook {
        return Err(invalid("address", &format!("This is not a webhook URL from {service}. {message}")));
    }
    Ok((Destination::at(url.to_string()), masked_url(&url)))
}

/// Validates the webhook URL of a service by its prefix.
fn by_prefix(
    entered: &Entered<'_>,
    beginnings: &[&str],
    (service, like): (&str, &str),
) -> Result<(Destination, String)> {
    required(
        "address",
        entered.address,
        &format!("Enter the webhook URL that {service} shows. It begins with {like}."),
    )?;
    let url = checked(entered.address, entered.settings)?;
    if !beginnings.iter().any(|beginning| url.as_str().starts_with(beginning)) {
        let message = format!("This is not a webhook URL from {service}. It must begin with {like}.");
        return Err(invalid("address", &message));
    }
    Ok((Destination::at(url.to_string()), masked_url(&url)))
}

/// Validates a URL like `https://ntfy.sh/topic`. Messages are posted as JSON with the topic to the root of
/// the server.
pub(super) fn ntfy(entered: &Entered<'_>) -> Result<(Destination, String)> {
    let address = entered.address;
    if !address.contains('/') {
        let message = "Enter the whole address of the topic: https://ntfy.sh/ followed by its name.";
        return Err(invalid("address", message));
    }
    let mut url = checked(address, entered.settings)?;
    let topic = url.path().trim_matches('/').to_owned();
    let is_topic = (1..=64).contains(&topic.len())
        && topic.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if !is_topic || url.query().is_some() {
        let message = "This is not a topic address. It must end with the name of the topic (letters, digits, - and _; at most \
                       64), like https://ntfy.sh/my-topic.";
        return Err(invalid("address", message));
    }
    let masked = masked_url(&url);
    url.set_path("/");
    url.set_fragment(None);
    let token = access_token("token", entered.token)?;
    Ok((Destination { recipient: Some(topic), token, ..Destination::at(url.to_string()) }, masked))
}

pub(super) fn telegram(entered: &Entered<'_>) -> Result<(Destination, String)> {
    let (token, chat) = (entered.token, entered.recipient);
    required("token", token, "Enter your bot's token, which you got from BotFather.")?;
    let is_token = token.split_once(':').is_some_and(|(bot, secret)| {
        !bot.is_empty()
            && bot.bytes().all(|byte| byte.is_ascii_digit())
            && (20..=100).contains(&secret.len())
            && secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    });
    if !is_token || token.len() > MAX_WORD_CHARS {
        let message = "This is not a bot token. A bot token is a number, a colon, and about 35 letters and digits, like \
                       123456:ABC-DEF…";
        return Err(invalid("token", message));
    }
    required("chat", chat, "Enter the chat that the bot should send messages to.")?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let (bare, is_written_so) = match chat.strip_prefix('@') {
        Some(name) => (name, is_name(name)),
        None => (chat.trim_start_matches('-'), is_number(chat.strip_prefix('-').unwrap_or(chat))),
    };
    let is_chat = (1..=64).contains(&bare.len()) && is_written_so;
    if !is_chat {
        let message = "This is not a chat. Enter the number of a chat, like 123456789 or -1001234567890, or @ and the name \
                       of a public channel.";
        return Err(invalid("chat", message));
    }
    let address = format!("{TELEGRAM}/bot{token}/sendMessage");
    let masked = format!("chat …{}, bot …{}", last(chat), last(token));
    Ok((Destination { recipient: Some(chat.to_owned()), ..Destination::at(address) }, masked))
}
