//! What the operator has set and rules go by: the plans, our own addresses, what may be fetched. One
//! truth of each, in the [`Domain`](crate::Domain) handle.

use std::sync::Arc;

use crate::tiers::Tiers;

/// The operator's settings, as far as rules go by them.
#[derive(Clone, Debug)]
pub struct Policy {
    /// What the plans allow.
    pub tiers: Arc<Tiers>,
    /// Our own origin, without a slash at the end: feeds and changes are found under it.
    pub base_url: String,
    /// The origin of the account pages, without a slash at the end: links in mails lead there.
    pub account_url: String,
    /// Whether there is a mail server: where there is none, no mail is written down.
    pub sends_mail: bool,
    /// What may be fetched. By it a URL is refused before any work is written down, and again by the guard.
    pub fetch: fetch::Settings,
    /// The most extractions that may wait; without it the job kind's own number.
    pub max_waiting_extractions: Option<u32>,
    /// The most bytes that stored texts may take together; the least recently used go first.
    pub max_stored_text_bytes: u64,
    /// The most bytes that responses kept for repetitions may take together; those that end first go first.
    pub max_stored_response_bytes: u64,
    /// The most bytes that pictures of pages may take together; 0 shows none.
    pub max_picture_bytes: u64,
    /// The most bytes that the kept responses of one caller may take; further ones are not kept.
    pub max_stored_response_bytes_per_caller: u64,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            tiers: Arc::default(),
            base_url: "http://127.0.0.1:8080".to_owned(),
            account_url: "http://127.0.0.1:8080".to_owned(),
            sends_mail: false,
            fetch: fetch::Settings::default(),
            max_waiting_extractions: None,
            max_stored_text_bytes: 5 << 30,
            max_stored_response_bytes: 1 << 30,
            max_picture_bytes: 2 << 30,
            max_stored_response_bytes_per_caller: 50 << 20,
        }
    }
}

impl Policy {
    /// Where servers elsewhere can call us: under https, at a name that is more than this machine's.
    pub fn public_base_url(&self) -> Option<&str> {
        let host = self.base_url.strip_prefix("https://")?.split(['/', ':']).next()?;
        let is_name = host.contains('.') && host.parse::<std::net::IpAddr>().is_err();
        let is_public = is_name && !matches!(host.rsplit('.').next(), Some("local" | "internal"));
        is_public.then_some(self.base_url.as_str())
    }

    /// Whether our origin is this machine's or a private network's own: a name that is only known there, or
    /// an address that no router of the Internet leads to.
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
    fn a_private_origin_is_told_from_a_public_one() {
        let is_private =
            |base_url: &str| Policy { base_url: base_url.into(), ..Policy::default() }.is_private();
        for own in [
            "http://127.0.0.1:8080",
            "http://localhost:8080",
            "https://carrel.internal",
            "http://192.168.1.4",
            "http://[::1]:8080",
            "http://[fd00::1]",
        ] {
            assert!(is_private(own), "{own}");
        }
        for public in ["https://carrel.example.org", "http://203.0.113.4", "https://localhost.example.org"] {
            assert!(!is_private(public), "{public}");
        }
    }
}
