//! The door to the operator's mail server: one letter, one connection.

use std::str::FromStr;
use std::time::{Duration, SystemTime};

use lettre::address::AddressError;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use url::Url;

use kernel::clock::Millis;

/// How long the server may take for one step.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Where mail is handed over, as in `smtps://user:password@mail.example.org`. It never prints itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Relay(String);

impl Relay {
    /// The URL as the library takes it.
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

/// Whom mail is from, as in `Carrel <carrel@example.org>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender(Mailbox);

impl FromStr for Sender {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| "must be an e-mail address such as Carrel <carrel@example.org>")
    }
}

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Names the letter: a mailbox may show only the first of two with the same name.
    pub id: String,
    /// The e-mail address of whoever gets it.
    pub to: String,
    /// One line.
    pub subject: String,
    /// Plain text.
    pub body: String,
    /// When it was written.
    pub date: Millis,
    /// The address under which whoever gets it ends such letters by one click (RFC 8058), where that can be.
    pub unsubscribe: Option<String>,
}

/// Why a letter was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// Another try may go better.
    #[error("the mail server could not be reached, or asked to come back later: {0}")]
    Later(String),
    /// The server will not take this letter, or it cannot be written.
    #[error("the mail server refused the letter: {0}")]
    Refused(String),
    /// The server knows nobody of this address (an enhanced status code 5.1.x).
    #[error("the mail server does not know the recipient: {0}")]
    UnknownRecipient(String),
}

/// Sends letters. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Mailer {
    relay: Relay,
    sender: Sender,
}

/// Whether the server refused whoever sends rather than the letter: its login is wrong or wanting. The operator may
/// mend that while the letter is tried.
fn is_about_us(error: &lettre::transport::smtp::Error) -> bool {
    error.status().is_some_and(|code| matches!(u16::from(code), 530 | 534 | 535 | 538))
}

/// Whether an enhanced status code (RFC 3463) says that the address is at fault: 5.1.x, but for the two that are about the
/// sender's.
fn names_no_mailbox(reason: &str) -> bool {
    let mut words = reason.split(|c: char| !c.is_ascii_digit() && c != '.');
    words.any(|word| word.len() == 5 && word.starts_with("5.1.") && !matches!(word, "5.1.7" | "5.1.8"))
}

impl Mailer {
    /// Sends through `relay` as `sender`.
    pub fn new(relay: Relay, sender: Sender) -> Self {
        Self { relay, sender }
    }

    /// Hands a letter over.
    ///
    /// # Errors
    /// When the server did not take it, and whether it may later.
    pub async fn send(&self, letter: &Letter) -> Result<(), SendError> {
        let message = self.message(letter)?;
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(self.relay.expose())
            .map_err(|error| SendError::Later(error.to_string()))?
            .hello_name(ClientId::Domain(self.sender.0.email.domain().to_owned()))
            .timeout(Some(TIMEOUT))
            .build();
        let Err(error) = transport.send(message).await else { return Ok(()) };
        // Servers repeat whom they refuse; that is for no log.
        let reason = error.to_string().replace(&letter.to, "the recipient");
        if error.is_permanent() && names_no_mailbox(&reason) {
            Err(SendError::UnknownRecipient(reason))
        } else if error.is_permanent() && !is_about_us(&error) {
            Err(SendError::Refused(reason))
        } else {
            Err(SendError::Later(reason))
        }
    }

    /// The letter as it goes over the wire. The library encodes what a header may not hold; line breaks are taken
    /// out before all the same.
    fn message(&self, letter: &Letter) -> Result<Message, SendError> {
        let refused = |error: String| SendError::Refused(error);
        let to: Address = letter.to.parse().map_err(|error: AddressError| refused(error.to_string()))?;
        let millis = u64::try_from(letter.date).unwrap_or(0);
        let mut subject: String = letter.subject.chars().filter(|c| !c.is_control()).collect();
        extract::clean::strip_controls(&mut subject);
        let id = format!("<{}@{}>", letter.id, self.sender.0.email.domain());
        let mut message = Message::builder()
            .from(self.sender.0.clone())
            .to(Mailbox::new(None, to))
            .subject(subject)
            .date(SystemTime::UNIX_EPOCH + Duration::from_millis(millis))
            .message_id(Some(id))
            .header(ContentType::TEXT_PLAIN)
            .body(letter.body.clone())
            .map_err(|error| refused(error.to_string()))?;
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
    use super::names_no_mailbox;

    #[test]
    fn a_sender_that_is_refused_is_no_recipient_that_is_not_known() {
        assert!(names_no_mailbox("permanent error (550): 5.1.1 no such user"));
        assert!(!names_no_mailbox("permanent error (553): 5.1.8 sender's domain not found"));
        assert!(!names_no_mailbox("permanent error (553): 5.1.7 sender's address"));
    }
}
