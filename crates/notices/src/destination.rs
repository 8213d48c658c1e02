//! Destination of a channel: the input of its owner, the part that is displayed, and the data that is sealed.

use data_encoding::BASE64;
use fetch::{FetcherSettings, UrlError, check_delivery_url};
use serde::{Deserialize, Serialize};

use kernel::{Code, Domain, Error, Result};

/// Maximum number of characters in an address.
pub const MAX_ADDRESS_CHARS: usize = 2_000;
/// Maximum number of characters in a token, chat, or topic.
pub(super) const MAX_WORD_CHARS: usize = 200;
/// Length of a secret in bytes.
pub(super) const SECRET: usize = 32;
/// Prefix of secrets.
const PREFIX: &str = "whsec_";

/// Destination as the owner of the channel enters it.
#[derive(Clone, Copy, Default)]
pub struct NewDestination<'a> {
    /// E-mail address or URL. For ntfy, the URL includes the topic. Empty for Telegram and Pushover.
    pub address: &'a str,
    /// Access token for a service, or token of a bot.
    pub token: &'a str,
    /// Chat, topic, user key, or telephone number of the recipient.
    pub chat: &'a str,
    pub mqtt: NewMqtt<'a>,
}

/// Additional input for an MQTT broker. Its password is sent as the token, and its topic as the chat.
#[derive(Clone, Copy, Default)]
pub struct NewMqtt<'a> {
    pub user: &'a str,
    /// True to publish with QoS 0 instead of QoS 1.
    pub qos_0: bool,
    /// True if the broker stores the newest message for future subscribers.
    pub retain: bool,
}

/// Destination of a channel, as stored under a seal.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Destination {
    /// E-mail address, or URL to which messages are posted.
    pub(super) address: String,
    /// Topic or chat.
    #[serde(default, rename = "room", skip_serializing_if = "Option::is_none")]
    pub(super) recipient: Option<String>,
    /// Bearer token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) token: Option<String>,
    /// Key that signs messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) secret: Option<Vec<u8>>,
    /// Previous key. Messages are also signed with it for some time.
    #[serde(default, rename = "former_secret", skip_serializing_if = "Option::is_none")]
    pub(super) previous_secret: Option<Vec<u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mqtt: Option<MqttOptions>,
}

/// User of an MQTT broker, and options for publishing messages.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct MqttOptions {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) user: Option<String>,
    pub(super) qos_1: bool,
    pub(super) retain: bool,
}

// Addresses may contain tokens, so neither type prints its content.
impl std::fmt::Debug for NewDestination<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("NewDestination").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Destination {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Destination").finish_non_exhaustive()
    }
}

impl Destination {
    pub(super) fn at(address: String) -> Self {
        Self { address, recipient: None, token: None, secret: None, previous_secret: None, mqtt: None }
    }

    /// Secret in its text form. Its owner sees it only when it is created.
    pub(super) fn secret_text(&self) -> Option<String> {
        self.secret.as_ref().map(|secret| format!("{PREFIX}{}", BASE64.encode(secret)))
    }

    /// Replaces the secret. Messages are also signed with the previous secret for some time.
    pub(super) fn rotate(&mut self, domain: &Domain) {
        self.previous_secret = self.secret.replace(domain.random::<SECRET>().to_vec());
    }
}

pub(super) fn required(field: &'static str, text: &str, message: &str) -> Result<()> {
    if text.is_empty() { Err(invalid(field, message)) } else { Ok(()) }
}

pub(super) fn access_token(field: &'static str, text: &str) -> Result<Option<String>> {
    if text.is_empty() {
        return Ok(None);
    }
    if text.len() > MAX_WORD_CHARS || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(invalid(
            field,
            "An access token is one word of plain letters and digits. Copy it exactly, or leave it empty.",
        ));
    }
    Ok(Some(text.to_owned()))
}

pub(super) fn checked(address: &str, settings: &FetcherSettings) -> Result<fetch::Url> {
    check_delivery_url(address, settings).map_err(refused_address)
}

pub(super) fn refused_address(fault: UrlError) -> Error {
    let code = match fault {
        UrlError::NotAllowed(_) => Code::UrlNotAllowed,
        UrlError::Invalid(_) | UrlError::Credential => Code::InvalidRequest,
    };
    let message = format!("This address cannot be used: {}", reason(fault));
    Error::new(code, message.clone()).at("address", message)
}

fn reason(fault: UrlError) -> String {
    match fault {
        UrlError::NotAllowed(reason) | UrlError::Invalid(reason) => format!("{reason}."),
        UrlError::Credential => "it contains an API key or token for this service.".to_owned(),
    }
}

/// Host and end of a URL: enough to recognise it, but useless without the omitted part.
pub(super) fn masked_url(url: &fetch::Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let path = url.path().trim_end_matches('/');
    let end = if path.len() > 8 || url.query().is_some() {
        format!("/…{}", last(url.as_str()))
    } else {
        String::new()
    };
    format!("{host}{port}{end}")
}

/// The last four characters.
pub(super) fn last(text: &str) -> String {
    let mut end: Vec<char> = text.chars().rev().take(4).collect();
    end.reverse();
    end.into_iter().collect()
}

pub(super) fn invalid(field: &'static str, message: &str) -> Error {
    Error::new(Code::InvalidRequest, message).at(field, message)
}
