//! The operator's settings that business rules depend on: plans, addresses of this service, and rules for fetches.
//! Rules read them only from the [`Domain`](crate::Domain) handle.

use std::sync::Arc;

use crate::tiers::Tiers;

/// The operator's settings that business rules depend on.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The limits of the plans.
    pub tiers: Arc<Tiers>,
    /// Origin of this service, under which feeds and changes are published. Without a trailing slash.
    pub base_url: String,
    /// Origin of the account pages, to which links in mails lead. Without a trailing slash.
    pub account_url: String,
    /// Domain of inbox addresses. `None` if no mail server delivers to this installation.
    pub inbox_domain: Option<String>,
    /// Name of the mail server whose `Authentication-Results` are trusted. `None` if none is trusted.
    pub inbox_authentication: Option<String>,
    /// True if a mail server is configured. Without one, no mails are queued.
    pub sends_mail: bool,
    /// True if a worker has a browser, which renders pages whose text depends on scripts.
    pub renders_pages: bool,
    /// Language model for summaries. `None` if the operator has configured none.
    pub model: Option<fetch::model_server::ModelEndpoint>,
    /// Rules that determine which fetches are allowed. They are checked before a job is submitted, and again by the
    /// guard.
    pub fetch: fetch::FetcherSettings,
    /// Maximum number of waiting extractions. If `None`, the capacity of the job kind is the limit.
    pub max_waiting_extractions: Option<u32>,
    /// Maximum total number of bytes of stored texts; the least recently used texts are evicted first.
    pub max_stored_text_bytes: u64,
    /// Maximum total number of bytes of stored idempotent responses; responses that expire first are evicted first.
    pub max_stored_response_bytes: u64,
    /// Maximum total number of bytes of page pictures; 0 disables pictures.
    pub max_picture_bytes: u64,
    /// Maximum number of bytes of one caller's stored idempotent responses; further responses are not stored.
    pub max_stored_response_bytes_per_caller: u64,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            tiers: Arc::default(),
            base_url: "http://127.0.0.1:8080".to_owned(),
            account_url: "http://127.0.0.1:8080".to_owned(),
            inbox_domain: None,
            inbox_authentication: None,
            sends_mail: false,
            renders_pages: false,
            model: None,
            fetch: fetch::FetcherSettings::default(),
            max_waiting_extractions: None,
            max_stored_text_bytes: 5 << 30,
            max_stored_response_bytes: 1 << 30,
            max_picture_bytes: 2 << 30,
            max_stored_response_bytes_per_caller: 50 << 20,
        }
    }
}

impl Policy {
    /// Domain of inbox addresses: the configured one, or the host of the origin of this service. If the host is an IP
    /// address, the domain is `localhost`.
    pub fn mail_domain(&self) -> String {
        let host = || {
            let host = url::Url::parse(&self.base_url).ok()?.domain().map(str::to_owned);
            host.map(|host| host.to_ascii_lowercase())
        };
        self.inbox_domain.clone().or_else(host).unwrap_or_else(|| "localhost".to_owned())
    }

    /// Base URL under which external servers reach this service: https, with a public name. `None` if the
    /// origin is not public.
    pub fn public_base_url(&self) -> Option<&str> {
        let host = self.base_url.strip_prefix("https://")?.split(['/', ':']).next()?;
        let is_name = host.contains('.') && host.parse::<std::net::IpAddr>().is_err();
        let is_public = is_name && !matches!(host.rsplit('.').next(), Some("local" | "internal"));
        is_public.then_some(self.base_url.as_str())
    }

    /// True if the origin of this service belongs to this machine or a private network: its host is a name that is
    /// known only there, or a private address.
    pub fn is_private(&self) -> bool {
        let Ok(url) = url::Url::parse(&self.base_url) else { return false };
        match url.host() {
            Some(url::Host::Domain(name)) => {
                matches!(name.rsplit('.').next(), Some("localhost" | "local" | "internal"))
            }
            Some(url::Host::Ipv4(address)) => {
                address.is_loopback() || address.is_private() || address.is_link_local()
            }
            Some(url::Host::Ipv6(address)) => {
                address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_and_public_origins_are_distinguished() {
        let is_private =
            |base_url: &str| Policy { base_url: base_url.into(), ..Policy::default() }.is_private();
        for own in [
            "http://127.0.0.1:8080", "http://localhost:8080", "https://carrel.internal",
            "http://192.168.1.4", "http://[::1]:8080", "http://[fd00::1]",
        ] {
            assert!(is_private(own), "{own}");
        }
        for public in ["https://carrel.example.org", "http://203.0.113.4", "https://localhost.example.org"] {
            assert!(!is_private(public), "{public}");
        }
    }
}
