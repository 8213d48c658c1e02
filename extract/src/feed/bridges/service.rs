//! Services whose pages have a feed, or content that is converted to a feed.

use super::super::candidate::FeedCandidate;
use super::super::parsed_feed::FeedKind;
use super::page_address::PageAddress;

/// Service with a rule that finds the feeds of its pages.
pub struct Service {
    /// Common name of the service.
    pub name: &'static str,
    pub(crate) hosts: ServiceHosts,
    /// Returns the feeds for a page on these hosts, the best first.
    pub(crate) rule: fn(&PageAddress) -> Vec<Bridge>,
    /// Forms of addresses, each with an example and its first result. They are tested and documented.
    pub forms: &'static [AddressPattern],
}

/// Hosts of a service.
pub(crate) enum ServiceHosts {
    /// These hosts.
    Named(&'static [&'static str]),
    /// These hosts and all hosts below them.
    Below(&'static [&'static str]),
    /// Every host that no other service lists. Used for software that many people host themselves.
    Any,
}

/// Form of the addresses of a service.
pub struct AddressPattern {
    /// Description of the pages with this form of address.
    pub name: &'static str,
    /// Example, as a person would paste it.
    pub address: &'static str,
    /// First result of the rule for the example.
    pub result: FormResult,
}

/// First result of a rule for an address.
#[derive(Debug, PartialEq, Eq)]
pub enum FormResult {
    /// Feed that the service publishes.
    Feed(&'static str),
    /// Page or interface that is converted to a feed.
    Converted(&'static str),
    /// Document that contains the URL of the feed.
    NamedBy(&'static str),
}

/// Result of a rule.
pub(crate) enum Bridge {
    Feed(FeedCandidate),
    /// Document that contains the URL of the feed.
    NamedBy(String),
}

impl Service {
    /// True if the service lists the host explicitly.
    pub(crate) fn names_host(&self, host: &str) -> bool {
        match self.hosts {
            ServiceHosts::Named(hosts) => hosts.contains(&host),
            ServiceHosts::Below(hosts) => hosts.iter().any(|known| is_below(host, known)),
            ServiceHosts::Any => false,
        }
    }
}

fn is_below(host: &str, known: &str) -> bool {
    host.strip_suffix(known).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Creates a candidate for an RSS feed.
pub(crate) fn rss(url: impl Into<String>) -> Bridge {
    Bridge::Feed(FeedCandidate::new(url.into(), FeedKind::Rss))
}

/// Creates a candidate for an Atom feed.
pub(crate) fn atom(url: impl Into<String>) -> Bridge {
    Bridge::Feed(FeedCandidate::new(url.into(), FeedKind::Atom))
}

/// Creates the result for a page or interface that is converted to a feed.
pub(crate) fn converted(url: impl Into<String>) -> Bridge {
    Bridge::Feed(FeedCandidate::new(url.into(), FeedKind::Converted))
}

/// Creates the result for a document that contains the URL of the feed.
pub(crate) fn named_by(url: impl Into<String>) -> Bridge {
    Bridge::NamedBy(url.into())
}

/// Creates an example whose first result is a published feed.
pub(crate) const fn feed_of(name: &'static str, address: &'static str, feed: &'static str) -> AddressPattern {
    AddressPattern { name, address, result: FormResult::Feed(feed) }
}

/// Creates an example whose first result is a converted feed.
pub(crate) const fn converted_of(
    name: &'static str,
    address: &'static str,
    source: &'static str,
) -> AddressPattern {
    AddressPattern { name, address, result: FormResult::Converted(source) }
}

/// Creates an example with the URL of its feed in another document.
pub(crate) const fn named_in(
    name: &'static str,
    address: &'static str,
    document: &'static str,
) -> AddressPattern {
    AddressPattern { name, address, result: FormResult::NamedBy(document) }
}
