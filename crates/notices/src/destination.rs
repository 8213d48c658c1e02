//! Destination of a channel: what its owner enters for each kind, how much of it is displayed, and what is
//! sealed.

use data_encoding::BASE64;
use entities::channel::ChannelKind;
use fetch::{FetcherSettings, UrlError, check_delivery_url};
use serde::{Deserialize, Serialize};

use kernel::email::normalize_email;
use kernel::{Code, Domain, Error, Result};

/// Maximum length of an address, in characters.
pub const MAX_ADDRESS_CHARS: usize = 2_000;
/// Maximum length of a token, chat or topic, in characters.
const MAX_WORD_CHARS: usize = 200;
/// Length of a secret, in bytes.
const SECRET: usize = 32;
/// Prefix of secrets.
const PREFIX: &str = "whsec_";
/// API of Telegram bots.
const TELEGRAM: &str = "https://api.telegram.org";
/// Prefixes of the webhook URLs of Slack and Discord.
const SLACK: [&str; 1] = ["https://hooks.slack.com/"];
const DISCORD: [&str; 2] = ["https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/"];

/// Destination as its owner enters it.
#[derive(Clone, Copy, Default)]
pub struct NewDestination<'a> {
    /// E-mail address or URL, for ntfy with the topic; empty for Telegram.
    pub address: &'a str,
    /// Access token of ntfy, or token of a Telegram bot.
    pub token: &'a str,
    /// Telegram chat.
    pub chat: &'a str,
}

/// Destination of a channel, as it is sealed.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Destination {
    /// E-mail address, or URL to post to.
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
    /// Previous key, which still signs for a while.
    #[serde(default, rename = "former_secret", skip_serializing_if = "Option::is_none")]
    pub(super) previous_secret: Option<Vec<u8>>,
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
    /// Validates what was entered for a channel of `kind`. Returns the destination, and as much of the
    /// address as is displayed.
    ///
    /// # Errors
    /// `invalid_request` or `url_not_allowed` at the field that is wrong.
    pub(super) fn of(domain: &Domain, kind: ChannelKind, new: NewDestination<'_>) -> Result<(Self, String)> {
        let settings = &domain.policy().fetch;
        let address = new.address.trim();
        if address.chars().count() > MAX_ADDRESS_CHARS {
            return Err(invalid("address", "The address is too long."));
        }
        match kind {
            ChannelKind::Mail => {
                let address = normalize_email(address).map_err(|error| invalid("address", &error.message))?;
                Ok((Self::at(address.clone()), address))
            }
            ChannelKind::Webhook => {
                required("address", address, "Enter the address of your program. It begins with https://.")?;
                let url = checked(address, settings)?;
                let secret = Some(domain.random::<SECRET>().to_vec());
                Ok((Self { secret, ..Self::at(url.to_string()) }, masked_url(&url)))
            }
            ChannelKind::Slack => {
                service_webhook(address, settings, &SLACK, ("Slack", "https://hooks.slack.com/services/"))
            }
            ChannelKind::Discord => {
                service_webhook(address, settings, &DISCORD, ("Discord", "https://discord.com/api/webhooks/"))
            }
            ChannelKind::Ntfy => ntfy(address, new.token.trim(), settings),
            ChannelKind::Telegram => telegram(new.token.trim(), new.chat.trim()),
        }
    }

    fn at(address: String) -> Self {
        Self { address, recipient: None, token: None, secret: None, previous_secret: None }
    }

    /// The secret as text. Its owner sees it only when it is created.
    pub(super) fn secret_text(&self) -> Option<String> {
        self.secret.as_ref().map(|secret| format!("{PREFIX}{}", BASE64.encode(secret)))
    }

    /// Replaces the secret. The previous one still signs for a while.
    pub(super) fn rotate(&mut self, domain: &Domain) {
        self.previous_secret = self.secret.replace(domain.random::<SECRET>().to_vec());
    }
}

/// Validates the webhook URL of a service by its prefix.
fn service_webhook(
    address: &str,
    settings: &FetcherSettings,
    beginnings: &[&str],
    (service, like): (&str, &str),
) -> Result<(Destination, String)> {
    required(
        "address",
        address,
        &format!("Enter the webhook URL that {service} shows. It begins with {like}."),
    )?;
    let url = checked(address, settings)?;
    if !beginnings.iter().any(|beginning| url.as_str().starts_with(beginning)) {
        let message = format!("This is no webhook URL of {service}. Those begin with {like}.");
        return Err(invalid("address", &message));
    }
    Ok((Destination::at(url.to_string()), masked_url(&url)))
}

/// Validates `https://ntfy.sh/topic`. JSON is posted to the root of the server and names the topic.
fn ntfy(address: &str, token: &str, settings: &FetcherSettings) -> Result<(Destination, String)> {
    if !address.contains('/') {
        let message = "Enter the whole address of the topic: https://ntfy.sh/ followed by its name.";
        return Err(invalid("address", message));
    }
    let mut url = checked(address, settings)?;
    let topic = url.path().trim_matches('/').to_owned();
    let is_topic = (1..=64).contains(&topic.len())
        && topic.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if !is_topic || url.query().is_some() {
        let message = "This is no topic. The address of a topic ends with its name (letters, digits, - and _; at most 64), \
                       like https://ntfy.sh/my-topic.";
        return Err(invalid("address", message));
    }
    let masked = masked_url(&url);
    url.set_path("/");
    url.set_fragment(None);
    let token = access_token("token", token)?;
    Ok((Destination { recipient: Some(topic), token, ..Destination::at(url.to_string()) }, masked))
}

fn telegram(token: &str, chat: &str) -> Result<(Destination, String)> {
    required("token", token, "Enter the token of your bot, as BotFather gave it to you.")?;
    let is_token = token.split_once(':').is_some_and(|(bot, secret)| {
        !bot.is_empty()
            && bot.bytes().all(|byte| byte.is_ascii_digit())
            && (20..=100).contains(&secret.len())
            && secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    });
    if !is_token || token.len() > MAX_WORD_CHARS {
        let message = "This is no token of a bot. A token is a number, a colon, and some 35 letters and digits, like \
                       123456:ABC-DEF…";
        return Err(invalid("token", message));
    }
    required("chat", chat, "Enter the chat that the bot is to write to.")?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let (bare, is_written_so) = match chat.strip_prefix('@') {
        Some(name) => (name, is_name(name)),
        None => (chat.trim_start_matches('-'), is_number(chat.strip_prefix('-').unwrap_or(chat))),
    };
    let is_chat = (1..=64).contains(&bare.len()) && is_written_so;
    if !is_chat {
        let message = "This is no chat. Enter its number, like 123456789 or -1001234567890, or @ and the name of a \
                       public channel.";
        return Err(invalid("chat", message));
    }
    let address = format!("{TELEGRAM}/bot{token}/sendMessage");
    let masked = format!("chat …{}, bot …{}", last(chat), last(token));
    Ok((Destination { recipient: Some(chat.to_owned()), ..Destination::at(address) }, masked))
}

fn required(field: &'static str, text: &str, message: &str) -> Result<()> {
    if text.is_empty() { Err(invalid(field, message)) } else { Ok(()) }
}

fn access_token(field: &'static str, text: &str) -> Result<Option<String>> {
    if text.is_empty() {
        return Ok(None);
    }
    if text.len() > MAX_WORD_CHARS || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(invalid(
            field,
            "An access token is one word of plain letters and digits. Copy it as it stands, or leave it empty.",
        ));
    }
    Ok(Some(text.to_owned()))
}

fn checked(address: &str, settings: &FetcherSettings) -> Result<fetch::Url> {
    check_delivery_url(address, settings).map_err(|fault| {
        let code = match fault {
            UrlError::NotAllowed(_) => Code::UrlNotAllowed,
            UrlError::Invalid(_) | UrlError::Credential => Code::InvalidRequest,
        };
        let message = format!("This address cannot be used: {}", reason(fault));
        Error::new(code, message.clone()).at("address", message)
    })
}

fn reason(fault: UrlError) -> String {
    match fault {
        UrlError::NotAllowed(reason) | UrlError::Invalid(reason) => format!("{reason}."),
        UrlError::Credential => "it holds an API key or token of this service.".to_owned(),
    }
}

/// Host and end of a URL: enough to recognize it, and of no use to others.
fn masked_url(url: &fetch::Url) -> String {
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
fn last(text: &str) -> String {
    let mut end: Vec<char> = text.chars().rev().take(4).collect();
    end.reverse();
    end.into_iter().collect()
}

fn invalid(field: &'static str, message: &str) -> Error {
    Error::new(Code::InvalidRequest, message).at(field, message)
}
