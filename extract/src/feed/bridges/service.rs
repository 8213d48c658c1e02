//! Service whose pages have a feed, or content that is converted to one.

use super::super::candidate::FeedCandidate;
use super::super::parsed_feed::FeedKind;
use super::page_address::PageAddress;

/// Service with the rule that leads from its pages to feeds.
pub struct Service {
    /// Name as people know it.
    pub name: &'static str,
    pub(crate) hosts: Hosts,
    /// Feeds of a page on these hosts, best first.
    pub(crate) rule: fn(&PageAddress) -> Vec<Bridge>,
    /// Each form of address with its first result. They are tested and documented.
    pub forms: &'static [Form],
}

/// Hosts of a service.
pub(crate) enum Hosts {
    /// These hosts.
    Named(&'static [&'static str]),
    /// These hosts and all below them.
    Below(&'static [&'static str]),
    /// Every host that no other service names: software that many people run.
    Any,
}

/// Form of address of a service.
pub struct Form {
    /// Page of this form, in words.
    pub name: &'static str,
    /// Example as a person pastes it.
    pub address: &'static str,
    /// First result for the example.
    pub result: FormResult,
}

/// First result for an address.
#[derive(Debug, PartialEq, Eq)]
pub enum FormResult {
    /// Feed that the service publishes.
    Feed(&'static str),
    /// Page or interface that is converted to a feed.
    Converted(&'static str),
    /// Document that names the feed.
    NamedBy(&'static str),
}

/// Result of a rule.
pub(crate) enum Bridge {
    Feed(FeedCandidate),
    /// Document that names the feed.
    NamedBy(String),
}

impl Service {
    /// True if the service names the host itself.
    pub(crate) fn names_host(&self, host: &str) -> bool {
        match self.hosts {
            Hosts::Named(hosts) => hosts.contains(&host),
            Hosts::Below(hosts) => hosts.iter().any(|known| is_below(host, known)),
            Hosts::Any => false,
        }
    }
}

fn is_below(host: &str, known: &str) -> bool {
    host.strip_suffix(known).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// RSS feed.
pub(crate) fn rss(url: impl Into<String>) -> Bridge {
    Bridge::Feed(FeedCandidate::new(url.into(), FeedKind::Rss))
}

/// Atom feed.
pub(crate) fn atom(url: impl Into<String>) -> Bridge {
    Bridge::Feed(FeedCandidate::new(url.into(), FeedKind::Atom))
}

/// Page or interface that is converted to a feed.
pub(crate) fn converted(url: impl Into<String>) -> Bridge {
    Bridge::Feed(FeedCandidate::new(url.into(), FeedKind::Converted))
}

/// Document that names the feed.
pub(crate) fn named_by(url: impl Into<String>) -> Bridge {
    Bridge::NamedBy(url.into())
}

/// Example whose first result is a published feed.
pub(crate) const fn feed_of(name: &'static str, address: &'static str, feed: &'static str) -> Form {
    Form { name, address, result: FormResult::Feed(feed) }
}

/// Example whose first result is converted.
pub(crate) const fn converted_of(name: &'static str, address: &'static str, source: &'static str) -> Form {
    Form { name, address, result: FormResult::Converted(source) }
}

/// Example whose feed another document names.
pub(crate) const fn named_in(name: &'static str, address: &'static str, document: &'static str) -> Form {
    Form { name, address, result: FormResult::NamedBy(document) }
}
