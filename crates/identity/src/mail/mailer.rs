//! SMTP client for the operator's mail server. Each mail is sent over its own connection.

use async_recursion::async_recursion as boxed;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use lettre::address::AddressError;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MultiPart, SinglePart};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use url::Url;

use kernel::Millis;

/// Timeout of one step of the SMTP session.
const TIMEOUT: Duration = Duration::from_secs(20);

/// URL of the SMTP server, for example `smtps://user:password@mail.example.org`. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct Relay(String);

impl Relay {
    /// Returns the URL in the form that lettre expects, with the password.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromStr for Relay {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be smtps://user:password@host (TLS from the start), smtp://user:password@host \
                            (STARTTLS is required) or smtp://host?tls=none (no TLS, for a server of your own network)";
        let mut url = Url::parse(text).map_err(|_| RULE)?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(RULE)?;
        let is_own_machine = host == "localhost"
            || host
                .trim_matches(['[', ']'])
                .parse()
                .is_ok_and(|address: std::net::IpAddr| address.is_loopback());
        let is_bare = matches!(url.path(), "" | "/") && url.fragment().is_none();
        let has_login = url.username().is_empty() == url.password().is_none();
        if !is_bare || !has_login {
            return Err(RULE);
        }
        let tls = match (url.scheme(), url.query()) {
            ("smtp", None) if !is_own_machine => Some("tls=required"),
            ("smtps", None) | ("smtp", None | Some("tls=none")) => None,
            _ => return Err(RULE),
        };
        url.set_query(tls);
        Ok(Self(url.into()))
    }
}

impl std::fmt::Debug for Relay {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Relay")
    }
}

/// Sender of all mail, for example `Carrel <carrel@example.org>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender(Mailbox);

impl FromStr for Sender {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| "must be an e-mail address such as Carrel <carrel@example.org>")
    }
}

/// An outgoing e-mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Part of the `Message-ID` before the `@`. If two messages have the same id, a mailbox may show only the
    /// first.
    pub id: String,
    /// E-mail address of the recipient.
    pub to: String,
    /// Subject on one line.
    pub subject: String,
    /// Plain text.
    pub body: String,
    /// HTML document with the same content. `None` if the mail has only text.
    pub html: Option<String>,
    /// Value of the `Date` header.
    pub date: Millis,
    /// URL for one-click unsubscribing (RFC 8058). `None` if there is nothing to unsubscribe from.
    pub unsubscribe: Option<String>,
}

/// Reason why a mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// Temporary failure: another attempt may succeed.
    #[error("the mail server could not be reached, or failed temporarily: {0}")]
    Temporary(String),
    /// Permanent failure: the server rejects the mail, or the mail cannot be encoded.
    #[error("the mail server rejected the mail: {0}")]
    Refused(String),
    /// The server does not know the recipient (enhanced status code 5.1.x).
    #[error("the mail server does not know the recipient: {0}")]
    UnknownRecipient(String),
}

/// Sends mail. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Mailer {
    relay: Relay,
    sender: Sender,
}

/// Returns whether the server rejected the login rather than the mail. The mail is then retried, because the
/// operator may correct the login in the meantime.
fn is_login_error(error: &lettre::transport::smtp::Error) -> bool {
    error.status().is_some_and(|code| matches!(u16::from(code), 530 | 534 | 535 | 538))
}

/// Returns whether an enhanced status code (RFC 3463) rejects the recipient's address: 5.1.x, except
/// 5.1.7 and 5.1.8, which reject the sender's address.
fn is_unknown_mailbox(reason: &str) -> bool {
    let mut words = reason.split(|c: char| !c.is_ascii_digit() && c != '.');
    words.any(|word| word.len() == 5 && word.starts_with("5.1.") && !matches!(word, "5.1.7" | "5.1.8"))
}

impl Mailer {
    pub fn new(relay: Relay, sender: Sender) -> Self {
        Self { relay, sender }
    }

    /// Sends one mail.
    ///
    /// # Errors
    /// [`SendError`], whose variant shows whether another attempt may succeed.
    #[boxed]
    pub async fn send(&self, letter: &Letter) -> Result<(), SendError> {
        let message = self.message(letter)?;
        let Err(error) = self.transport()?.send(message).await else { return Ok(()) };
        // Servers repeat the recipient in their answers; the address must not be logged.
        let reason = error.to_string().replace(&letter.to, "the recipient");
        if error.is_permanent() && is_unknown_mailbox(&reason) {
            Err(SendError::UnknownRecipient(reason))
        } else if error.is_permanent() && !is_login_error(&error) {
            Err(SendError::Refused(reason))
        } else {
            Err(SendError::Temporary(reason))
        }
    }

    /// Connects and signs in to the server without sending a mail.
    ///
    /// # Errors
    /// [`SendError::Temporary`] with the reason if the server does not answer or rejects the login.
    #[boxed]
    pub async fn check_login(&self) -> Result<(), SendError> {
        match self.transport()?.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(SendError::Temporary("the server closed the connection".to_owned())),
            Err(error) => Err(SendError::Temporary(error.to_string())),
        }
    }

    fn transport(&self) -> Result<AsyncSmtpTransport<Tokio1Executor>, SendError> {
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(self.relay.expose())
            .map_err(|error| SendError::Temporary(error.to_string()))?;
        let name = ClientId::Domain(self.sender.0.email.domain().to_owned());
        Ok(builder.hello_name(name).timeout(Some(TIMEOUT)).build())
    }

    /// Encodes the mail as a MIME message. Control characters are removed from the subject first, although
    /// lettre encodes header values as well.
    fn message(&self, letter: &Letter) -> Result<Message, SendError> {
        let refusal = |error: String| SendError::Refused(error);
        let to: Address = letter.to.parse().map_err(|error: AddressError| refusal(error.to_string()))?;
        let millis = u64::try_from(letter.date).unwrap_or(0);
        let mut subject: String = letter.subject.chars().filter(|c| !c.is_control()).collect();
        extract::clean::strip_controls(&mut subject);
        let id = format!("<{}@{}>", letter.id, self.sender.0.email.domain());
        let head = Message::builder()
            .from(self.sender.0.clone())
            .to(Mailbox::new(None, to))
            .subject(subject)
            .date(SystemTime::UNIX_EPOCH + Duration::from_millis(millis))
            .message_id(Some(id));
        let message = match &letter.html {
            None => head.header(ContentType::TEXT_PLAIN).body(letter.body.clone()),
            // The boundary follows from the id, so that each attempt sends the same bytes.
            Some(html) => head.multipart(
                MultiPart::alternative()
                    .boundary(format!("part_{}", letter.id))
                    .singlepart(SinglePart::plain(letter.body.clone()))
                    .singlepart(SinglePart::html(html.clone())),
            ),
        };
        let mut message = message.map_err(|error| refusal(error.to_string()))?;
        let name = HeaderName::new_from_ascii_str("Auto-Submitted");
        message.headers_mut().insert_raw(HeaderValue::new(name, "auto-generated".to_owned()));
        if let Some(link) = &letter.unsubscribe {
            let name = HeaderName::new_from_ascii_str("List-Unsubscribe");
            message.headers_mut().insert_raw(HeaderValue::new(name, format!("<{link}>")));
            let name = HeaderName::new_from_ascii_str("List-Unsubscribe-Post");
            let value = "List-Unsubscribe=One-Click".to_owned();
            message.headers_mut().insert_raw(HeaderValue::new(name, value));
        }
        Ok(message)
    }
}

#[cfg(test)]
mod tests {
    use super::is_unknown_mailbox;

    #[test]
    fn status_codes_about_the_sender_are_not_unknown_mailboxes() {
        assert!(is_unknown_mailbox("permanent error (550): 5.1.1 no such user"));
        assert!(!is_unknown_mailbox("permanent error (553): 5.1.8 sender's domain not found"));
        assert!(!is_unknown_mailbox("permanent error (553): 5.1.7 sender's address"));
    }
}
