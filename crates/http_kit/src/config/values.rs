//! The typed values of settings, each of which explains itself when it cannot be read.

use std::fmt::{self, Debug, Display};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use ipnet::IpNet;
use subtle::ConstantTimeEq;
use url::{Host, Url};

/// A setting that is `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// `on`.
    On,
    /// `off`.
    Off,
}

/// An address to listen at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listen(pub(super) SocketAddr);

impl FromStr for Listen {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(
            |_| "must be an address with a port, such as 127.0.0.1:8080, or 0.0.0.0:8080 for every network",
        )
    }
}

/// A bare origin, as in `https://read.example.org`: scheme, host and port, no path, no trailing slash.
#[derive(Clone, PartialEq, Eq)]
pub struct Origin {
    text: String,
    authority: String,
}

impl Origin {
    /// The address that a process listening at `listen` has for a browser on the same machine.
    pub fn listening_at(listen: SocketAddr) -> Self {
        let authority = match listen {
            SocketAddr::V4(address) if address.ip().is_unspecified() => {
                format!("127.0.0.1:{}", address.port())
            }
            SocketAddr::V6(address) if address.ip().is_unspecified() => format!("[::1]:{}", address.port()),
            other => other.to_string(),
        };
        Self { text: format!("http://{authority}"), authority }
    }

    /// The origin as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Host, and port when it is not the scheme's own: what a `Host` header holds.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Whether browsers reach this origin over TLS.
    pub fn is_secure(&self) -> bool {
        self.text.starts_with("https://")
    }
}

impl Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl Debug for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl FromStr for Origin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str =
            "must be a bare origin such as https://read.example.org, without a path or a slash at the end";
        let url = Url::parse(text).map_err(|_| RULE)?;
        let bare = matches!(url.scheme(), "http" | "https")
            && url.path() == "/"
            && !text.ends_with('/')
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        let Some(host) = url.host().filter(|_| bare) else { return Err(RULE) };
        let host = match host {
            Host::Ipv6(address) => format!("[{address}]"),
            other => other.to_string(),
        };
        let authority = url.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        Ok(Self { text: format!("{}://{authority}", url.scheme()), authority })
    }
}

/// The public reader's two limits: `burst` requests in some seconds and `sustained` in others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderLimits {
    /// No limit at all, for a reader that is not open to strangers.
    Off,
    /// Quota and window in seconds of `burst`, then of `sustained`.
    On {
        /// Requests and seconds.
        burst: (u32, u32),
        /// Requests and seconds.
        sustained: (u32, u32),
    },
}

impl Default for ReaderLimits {
    fn default() -> Self {
        Self::On { burst: (5, 10), sustained: (60, 60) }
    }
}

impl FromStr for ReaderLimits {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str =
            "must be `off` or two limits such as 5/10,60/60 (requests/seconds, at most 1000000/3600)";
        if text == "off" {
            return Ok(Self::Off);
        }
        let parse = |text: &str| -> Option<(u32, u32)> {
            let (quota, seconds) = text.split_once('/')?;
            let (quota, seconds) = (quota.trim().parse().ok()?, seconds.trim().parse().ok()?);
            ((1..=1_000_000).contains(&quota) && (1..=3600).contains(&seconds)).then_some((quota, seconds))
        };
        let (burst, sustained) = text.split_once(',').ok_or(RULE)?;
        Ok(Self::On { burst: parse(burst).ok_or(RULE)?, sustained: parse(sustained).ok_or(RULE)? })
    }
}

/// A range of addresses, or one address alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(pub IpNet);

impl FromStr for Network {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let net = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        net.map(Self).map_err(|_| "must be an address or a range, as in 10.0.0.0/8")
    }
}

/// A text that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The text itself, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares in constant time.
    pub fn is(&self, other: &str) -> bool {
        self.0.as_bytes().ct_eq(other.as_bytes()).into()
    }
}

impl Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

impl FromStr for Secret {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl FromStr for LogFormat {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err("must be `text` or `json`"),
        }
    }
}
