//! Typed values of settings. Each parse error describes the expected form.

use std::fmt::{self, Debug, Display};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use ipnet::IpNet;
use subtle::ConstantTimeEq;
use url::{Host, Url};

/// Setting that is `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}

/// Address to listen on.
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

/// Bare origin, as in `https://read.example.org`: scheme, host, and port, without a path or trailing slash.
#[derive(Clone, PartialEq, Eq)]
pub struct Origin {
    text: String,
    authority: String,
}

impl Origin {
    /// Returns the origin of a process that listens at `listen`, for a browser on the same machine.
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

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the host, with the port unless it is the scheme's default port: the value of a `Host` header.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Returns true if browsers reach this origin over TLS.
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

/// The two rate limits of the public reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderLimits {
    /// No limits, for a reader that is not open to the public.
    Off,
    /// Both limits apply, each as number of requests and window in seconds.
    On {
        /// Requests and seconds of the short window.
        burst: (u32, u32),
        /// Requests and seconds of the long window.
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

/// IP network, or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkSetting(pub IpNet);

impl FromStr for NetworkSetting {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let net = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        net.map(Self).map_err(|_| "must be an address or a range, as in 10.0.0.0/8")
    }
}

/// Text that `Debug` does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretSetting(String);

impl SecretSetting {
    /// Returns the secret in plain text.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares the secret with `other` in constant time.
    pub fn is(&self, other: &str) -> bool {
        self.0.as_bytes().ct_eq(other.as_bytes()).into()
    }
}

impl Debug for SecretSetting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

impl FromStr for SecretSetting {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// Format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Human-readable.
    Text,
    /// One JSON object per line.
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
