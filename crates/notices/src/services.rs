//! Services that accept messages at a URL. Each service is a row of a table: how its address is validated, how a
//! message is sent, its maximum length, and how its body is rendered. Mail, signed webhooks, and MQTT delivery have
//! their own code.

mod addresses;
mod arguments;
mod bodies;
#[cfg(test)]
mod tests;

use entities::channel::ChannelKind;
use entities::ids::NoticeId;
use fetch::{DeliveryMethod, MqttMessage};
use serde_json::Value;

use self::arguments::{Entered, RenderedMessage};
use super::destination::{
    Destination, MAX_ADDRESS_CHARS, NewDestination, SECRET, checked, invalid, masked_url, required,
};
use super::mail_text;
use super::message::Message;
use super::plain_text::{truncate, unlinked};
use super::template::{self, TemplatedMessage, Templates};
use kernel::email::normalize_email;
use kernel::{Domain, Result};

/// Maximum number of characters in the template error that a message contains.
const MAX_FAULT_CHARS: usize = 80;

/// A service, as a row of the table.
struct ChatService {
    /// Validates the owner's input. Returns the destination, and the part of the address that is displayed.
    enter: fn(&Entered<'_>) -> Result<(Destination, String)>,
    /// HTTP method. With `Put`, the id of the message is appended to the URL, so that a repeated attempt has
    /// no effect.
    method: DeliveryMethod,
    token: TokenHeader,
    /// Maximum number of characters in the text.
    max_chars: usize,
    /// Escapes text from a page for the markup of the service.
    escape: fn(&str) -> String,
    body: fn(&RenderedMessage<'_>) -> Value,
    /// Member of a response that is not 0 if the service did not accept the message, regardless of the HTTP status.
    error_member: Option<&'static str>,
}

/// Header in which a service expects the token.
#[derive(Clone, Copy)]
enum TokenHeader {
    /// The service needs no header: the token is part of the URL or the body.
    None,
    Bearer,
    Named(&'static str),
}

const USUAL: ChatService = ChatService {
    enter: addresses::any,
    method: DeliveryMethod::Post,
    token: TokenHeader::None,
    max_chars: 1_800,
    escape: str::to_owned,
    body: bodies::plain,
    error_member: None,
};

static SLACK: ChatService =
    ChatService { enter: addresses::slack, escape: bodies::escape_slack, body: bodies::slack, ..USUAL };
static DISCORD: ChatService = ChatService {
    enter: addresses::discord,
    escape: bodies::escape_markdown,
    body: bodies::discord,
    ..USUAL
};
static TELEGRAM: ChatService = ChatService { enter: addresses::telegram, body: bodies::telegram, ..USUAL };
static NTFY: ChatService =
    ChatService { enter: addresses::ntfy, token: TokenHeader::Bearer, body: bodies::ntfy, ..USUAL };
static MATRIX: ChatService = ChatService {
    enter: addresses::matrix,
    method: DeliveryMethod::Put,
    token: TokenHeader::Bearer,
    max_chars: 4_000,
    body: bodies::matrix,
    ..USUAL
};
static PUSHOVER: ChatService =
    ChatService { enter: addresses::pushover, max_chars: 1_024, body: bodies::pushover, ..USUAL };
static GOTIFY: ChatService = ChatService {
    enter: addresses::gotify,
    token: TokenHeader::Named("x-gotify-key"),
    body: bodies::gotify,
    ..USUAL
};
static MATTERMOST: ChatService =
    ChatService { enter: addresses::mattermost, max_chars: 4_000, escape: bodies::escape_chat, ..USUAL };
static ROCKET_CHAT: ChatService =
    ChatService { enter: addresses::rocket_chat, max_chars: 4_000, escape: bodies::escape_chat, ..USUAL };
static TEAMS: ChatService = ChatService {
    enter: addresses::teams,
    max_chars: 4_000,
    escape: bodies::escape_markdown,
    body: bodies::teams,
    ..USUAL
};
static GOOGLE_CHAT: ChatService = ChatService {
    enter: addresses::google_chat,
    max_chars: 4_000,
    escape: bodies::escape_google_chat,
    ..USUAL
};
static SMS: ChatService = ChatService {
    enter: addresses::sms,
    token: TokenHeader::Bearer,
    max_chars: 300,
    body: bodies::sms,
    ..USUAL
};
static HOME_ASSISTANT: ChatService =
    ChatService { enter: addresses::home_assistant, body: bodies::home_assistant, ..USUAL };

static MQTT: ChatService =
    ChatService { enter: addresses::mqtt, max_chars: 4_000, body: bodies::mqtt, ..USUAL };

static APPRISE: ChatService = ChatService { enter: addresses::apprise, body: bodies::apprise, ..USUAL };
static ZULIP: ChatService =
    ChatService { enter: addresses::zulip, max_chars: 4_000, escape: bodies::escape_zulip, ..USUAL };
static WEBEX: ChatService = ChatService { enter: addresses::webex, max_chars: 4_000, ..USUAL };
static LARK: ChatService = ChatService {
    enter: addresses::lark,
    max_chars: 4_000,
    escape: bodies::escape_google_chat,
    body: bodies::lark,
    error_member: Some("code"),
    ..USUAL
};
static DING_TALK: ChatService = ChatService {
    enter: addresses::ding_talk,
    body: bodies::group_robot,
    error_member: Some("errcode"),
    ..USUAL
};
static WE_COM: ChatService = ChatService {
    enter: addresses::we_com,
    // The service accepts 2048 bytes, and a Chinese character has three bytes.
    max_chars: 600,
    escape: bodies::escape_google_chat,
    body: bodies::group_robot,
    error_member: Some("errcode"),
    ..USUAL
};
static LINE: ChatService = ChatService {
    enter: addresses::line,
    token: TokenHeader::Bearer,
    max_chars: 4_000,
    body: bodies::line,
    ..USUAL
};
static PUSHBULLET: ChatService = ChatService {
    enter: addresses::pushbullet,
    token: TokenHeader::Named("access-token"),
    body: bodies::pushbullet,
    ..USUAL
};
static BARK: ChatService = ChatService { enter: addresses::bark, body: bodies::bark, ..USUAL };
static IFTTT: ChatService = ChatService { enter: addresses::ifttt, body: bodies::ifttt, ..USUAL };
static PAGER_DUTY: ChatService =
    ChatService { enter: addresses::pager_duty, body: bodies::pager_duty, ..USUAL };

/// Service of a kind. `None` for mail and signed webhooks.
fn service(kind: ChannelKind) -> Option<&'static ChatService> {
    Some(match kind {
        ChannelKind::Mail | ChannelKind::Webhook => return None,
        ChannelKind::Slack => &SLACK,
        ChannelKind::Discord => &DISCORD,
        ChannelKind::Telegram => &TELEGRAM,
        ChannelKind::Ntfy => &NTFY,
        ChannelKind::Matrix => &MATRIX,
        ChannelKind::Pushover => &PUSHOVER,
        ChannelKind::Gotify => &GOTIFY,
        ChannelKind::Mattermost => &MATTERMOST,
        ChannelKind::RocketChat => &ROCKET_CHAT,
        ChannelKind::Teams => &TEAMS,
        ChannelKind::GoogleChat => &GOOGLE_CHAT,
        ChannelKind::Sms => &SMS,
        ChannelKind::HomeAssistant => &HOME_ASSISTANT,
        ChannelKind::Mqtt => &MQTT,
        ChannelKind::Apprise => &APPRISE,
        ChannelKind::Zulip => &ZULIP,
        ChannelKind::Webex => &WEBEX,
        ChannelKind::Lark => &LARK,
        ChannelKind::DingTalk => &DING_TALK,
        ChannelKind::WeCom => &WE_COM,
        ChannelKind::Line => &LINE,
        ChannelKind::Pushbullet => &PUSHBULLET,
        ChannelKind::Bark => &BARK,
        ChannelKind::Ifttt => &IFTTT,
        ChannelKind::PagerDuty => &PAGER_DUTY,
    })
}

/// Validates the input of the owner for a channel of `kind`. Returns the destination, and the part of the
/// address that is displayed.
///
/// # Errors
/// `invalid_request` or `url_not_allowed`, with the invalid field.
pub(super) fn enter(
    domain: &Domain,
    kind: ChannelKind,
    new: NewDestination<'_>,
) -> Result<(Destination, String)> {
    let settings = &domain.policy().fetch;
    let (address, token, recipient) = (new.address.trim(), new.token.trim(), new.chat.trim());
    if address.chars().count() > MAX_ADDRESS_CHARS {
        return Err(invalid("address", "The address is too long."));
    }
    if let Some(service) = service(kind) {
        return (service.enter)(&Entered { address, token, recipient, mqtt: new.mqtt, settings });
    }
    if kind == ChannelKind::Mail {
        let address = normalize_email(address).map_err(|error| invalid("address", &error.message))?;
        return Ok((Destination::at(address.clone()), address));
    }
    required("address", address, "Enter the address of your program. It begins with https://.")?;
    let url = checked(address, settings)?;
    let secret = Some(domain.random::<SECRET>().to_vec());
    Ok((Destination { secret, ..Destination::at(url.to_string()) }, masked_url(&url)))
}

/// Renders the body of a message to a channel of `kind`, with the title and the text that its templates rendered.
pub(super) fn body(
    kind: ChannelKind,
    message: &Message,
    destination: &Destination,
    templates: Templates<'_>,
) -> Vec<u8> {
    let value = match service(kind) {
        Some(service) => {
            let templated = template::apply(templates, message, service.escape);
            let text = text(service, &templated);
            let (message, is_templated) = (&templated.message, templates.text.is_some());
            (service.body)(&RenderedMessage { message, text, is_templated, destination })
        }
        None if kind == ChannelKind::Mail => mail_text::of(&template::apply(templates, message, unlinked)),
        None => message.json(),
    };
    match value {
        // A plain text, without the quotation marks of a JSON string.
        Value::String(text) => text.into_bytes(),
        value => value.to_string().into_bytes(),
    }
}

/// Text of a message. If a template fails, the default text with the error is used.
fn text(service: &ChatService, templated: &TemplatedMessage) -> String {
    let message = &templated.message;
    match &templated.text {
        None => bodies::text(message, service.escape, service.max_chars),
        Some(Ok(text)) => match bodies::highlights(message, service.escape, service.max_chars / 2) {
            Some(highlights) => {
                let left = service.max_chars.saturating_sub(highlights.chars().count() + 1);
                format!("{}\n{highlights}", truncate(text, left))
            }
            None => truncate(text, service.max_chars),
        },
        Some(Err(error)) => {
            let fault = truncate(&format!("(Template: {error})"), MAX_FAULT_CHARS);
            let fault = (service.escape)(&fault);
            let left = service.max_chars.saturating_sub(fault.chars().count() + 1);
            format!("{fault}\n{}", bodies::text(message, service.escape, left))
        }
    }
}

/// Method and URL for a message to a channel of `kind`.
pub(super) fn target(kind: ChannelKind, destination: &Destination, id: NoticeId) -> (DeliveryMethod, String) {
    let method = service(kind).map_or(DeliveryMethod::Post, |service| service.method);
    let address = &destination.address;
    match method {
        DeliveryMethod::Post => (method, address.clone()),
        DeliveryMethod::Put => (method, format!("{address}/{id}")),
    }
}

/// Header with the token of a channel of `kind`.
pub(super) fn token_header(kind: ChannelKind, destination: &Destination) -> Option<(&'static str, String)> {
    let token = destination.token.as_ref()?;
    match service(kind)?.token {
        TokenHeader::None => None,
        TokenHeader::Bearer => Some(("authorization", format!("Bearer {token}"))),
        TokenHeader::Named(name) => Some((name, token.clone())),
    }
}

/// Returns true if a response of a service contains an error code, which some services send with status 200.
pub(super) fn reports_error(kind: ChannelKind, answer: &str) -> bool {
    let Some(member) = service(kind).and_then(|service| service.error_member) else { return false };
    let code = answer.split_once(&format!("\"{member}\":"));
    code.is_some_and(|(_, code)| !code.trim_start().starts_with('0'))
}

/// Message to an MQTT broker.
pub(super) fn mqtt_message(destination: &Destination, id: NoticeId, payload: &[u8]) -> MqttMessage {
    let options = destination.mqtt.as_ref();
    // A broker disconnects a client if another client with the same identifier connects.
    let random_bits = id.as_u128() & u128::from(u64::MAX);
    MqttMessage {
        address: destination.address.clone(),
        client_id: format!("carrel{random_bits:016x}"),
        user: options.and_then(|options| options.user.clone()),
        password: destination.token.clone(),
        topic: destination.recipient.clone().unwrap_or_default(),
        payload: payload.to_vec(),
        qos_1: options.is_none_or(|options| options.qos_1),
        retain: options.is_some_and(|options| options.retain),
    }
}
