//! What the operator has set and rules go by: the plans, our own addresses, what may be fetched. One
//! truth of each, in the [`Domain`](crate::Domain) handle.

use std::sync::Arc;

use crate::limits::Tiers;

/// The operator's settings, as far as rules go by them.
#[derive(Clone, Debug)]
pub struct Policy {
    /// What the plans allow.
    pub tiers: Arc<Tiers>,
    /// Our own origin, without a slash at the end: feeds and changes are found under it.
    pub base_url: String,
    /// What may be fetched. By it a URL is refused before any work is written down, and again by the guard.
    pub fetch: fetch::Settings,
    /// The most extractions that may wait; without it the job kind's own number.
    pub max_waiting_extractions: Option<u32>,
    /// The most bytes that stored texts may take together; the least recently used go first.
    pub max_stored_text_bytes: u64,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            tiers: Arc::default(),
            base_url: "http://127.0.0.1:8080".to_owned(),
            fetch: fetch::Settings::default(),
            max_waiting_extractions: None,
            max_stored_text_bytes: 5 << 30,
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
}
