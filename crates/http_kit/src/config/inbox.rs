//! Settings of the inbox: reception of mail.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use super::sources::Variables;
use super::values::Listen;

const CERTIFICATE: &str = "CARREL_INBOX_CERTIFICATE";
const KEY: &str = "CARREL_INBOX_KEY";

/// Settings of the inbox.
#[derive(Clone, Debug, Default)]
pub struct InboxSettings {
    /// `CARREL_INBOX_LISTEN`: address at which workers receive mail by LMTP or SMTP; disabled if absent.
    pub listen: Option<SocketAddr>,
    /// `CARREL_INBOX_DOMAIN`: domain of inbox addresses.
    pub domain: Option<String>,
    /// `CARREL_INBOX_CERTIFICATE` and `CARREL_INBOX_KEY`: PEM files for STARTTLS, which is not offered without them.
    pub tls: Option<InboxTls>,
    /// `CARREL_INBOX_AUTHENTICATION`: name of the mail server whose `Authentication-Results` are trusted.
    pub authentication: Option<String>,
}

/// Certificate chain and key of the listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxTls {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// Name of a host, in lower case.
struct HostName(String);

impl FromStr for HostName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim().to_ascii_lowercase();
        let is_label = |label: &str| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        if name.len() <= 253 && name.split('.').all(is_label) {
            Ok(Self(name))
        } else {
            Err("must be a host name, such as in.example.org")
        }
    }
}

pub(super) fn read(variables: &mut Variables) -> InboxSettings {
    if variables.has("CARREL_INBOX_LISTEN") && !variables.has("CARREL_INBOX_DOMAIN") {
        variables.fault("CARREL_INBOX_DOMAIN", &"is required if CARREL_INBOX_LISTEN is set");
    }
    for (one, other) in [(CERTIFICATE, KEY), (KEY, CERTIFICATE)] {
        if variables.has(one) && !variables.has(other) {
            variables.fault(other, &format!("is required if {one} is set"));
        }
    }
    let name = |HostName(name): HostName| name;
    let certificate: Option<PathBuf> = variables.optional(CERTIFICATE);
    let key: Option<PathBuf> = variables.optional(KEY);
    InboxSettings {
        listen: variables.optional::<Listen>("CARREL_INBOX_LISTEN").map(|Listen(address)| address),
        tls: certificate.zip(key).map(|(certificate, key)| InboxTls { certificate, key }),
        domain: variables.optional("CARREL_INBOX_DOMAIN").map(name),
        authentication: variables.optional("CARREL_INBOX_AUTHENTICATION").map(name),
    }
}
