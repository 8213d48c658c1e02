//! Rules that find the feed for an address of a well-known service: the URL of the feed itself, a page or
//! interface that the module `convert` converts to a feed, or a document that contains the URL of the feed.
//! Each service is a row of [`SERVICES`]. The rows are also the examples of the tests and of the documentation.
//! Nothing is fetched.

mod audio;
mod blogs;
pub(crate) mod forges;
pub(crate) mod news;
pub(crate) mod packages;
pub(super) mod page_address;
mod service;
mod social;
#[cfg(test)]
mod tests;
mod video;

use super::candidate::FeedCandidate;
use super::parsed_feed::FeedKind;
use super::{text, urls};
use page_address::PageAddress;
use service::{Bridge, ServiceHosts};

pub use service::{AddressPattern, FormResult, Service};

/// File extensions of addresses that are feeds themselves.
const FEED_EXTENSIONS: [&str; 3] = ["atom", "rss", "xml"];
/// Maximum number of characters in the title that a document gives to a feed.
const MAX_TITLE_CHARS: usize = 200;

/// All services. If several rules apply to a host, the results of the first rule come first.
pub static SERVICES: &[Service] = &[
    video::YOUTUBE,
    video::VIMEO,
    video::DAILYMOTION,
    video::ODYSEE,
    audio::SOUNDCLOUD,
    audio::BANDCAMP,
    audio::APPLE_PODCASTS,
    social::REDDIT,
    social::MASTODON,
    social::BLUESKY,
    social::LEMMY,
    video::PEERTUBE,
    social::TELEGRAM,
    social::TUMBLR,
    social::LETTERBOXD,
    forges::GITHUB,
    forges::GITLAB,
    forges::FORGEJO,
    forges::SOURCEHUT,
    packages::PYPI,
    packages::NPM,
    packages::CRATES_IO,
    packages::DOCKER_HUB,
    packages::RUBYGEMS,
    packages::PACKAGIST,
    blogs::SUBSTACK,
    blogs::MEDIUM,
    blogs::BLOGGER,
    blogs::WORDPRESS,
    blogs::DEV,
    blogs::HASHNODE,
    news::HACKER_NEWS,
    news::LOBSTERS,
    news::STACK_EXCHANGE,
    news::ARXIV,
    news::WIKIPEDIA,
    news::STEAM,
];

/// Results of the rules for an address.
#[derive(Debug, Default)]
pub struct SiteRules {
    /// Feeds, the best first.
    pub feeds: Vec<FeedCandidate>,
    /// Document that contains the URL of the feed.
    pub naming_document: Option<String>,
    /// True if the host belongs to a single service. In that case, a failure of its feed means that the page
    /// fails, too.
    pub is_of_service: bool,
}

/// Applies the rules of the service to the page at `address`. Empty for pages of other sites, and for an
/// address that is itself a feed.
pub fn site_rules(address: &str) -> SiteRules {
    let Some(page) = PageAddress::parse(address).filter(|page| !is_feed_address(page)) else {
        return SiteRules::default();
    };
    let named = SERVICES.iter().find(|service| service.names_host(page.host()));
    let bridges: Vec<Bridge> = if let Some(service) = named {
        (service.rule)(&page)
    } else {
        let software = SERVICES.iter().filter(|service| matches!(service.hosts, ServiceHosts::Any));
        software.flat_map(|service| (service.rule)(&page)).collect()
    };
    let mut rules = SiteRules { is_of_service: named.is_some(), ..SiteRules::default() };
    for bridge in bridges {
        match bridge {
            Bridge::Feed(feed) => rules.feeds.push(feed),
            Bridge::NamedBy(document) => rules.naming_document = Some(document),
        }
    }
    rules
}

/// True if the last part of the path has the extension of a feed.
fn is_feed_address(page: &PageAddress) -> bool {
    let path = page.path();
    let extension = path.last().and_then(|last| last.rsplit_once('.')).map(|(_, extension)| extension);
    extension
        .is_some_and(|extension| FEED_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// Feed that a `meta` element of the page at `address` identifies. `property` is the value of the element's
/// `itemprop` or `property` attribute.
pub(super) fn in_meta(property: &str, content: &str, address: &str) -> Option<FeedCandidate> {
    let bridge = match property {
        "channelId" | "identifier" => video::youtube_channel(content, address),
        "al:ios:url" => audio::soundcloud_user(content, address),
        _ => None,
    };
    match bridge? {
        Bridge::Feed(feed) => Some(feed),
        Bridge::NamedBy(_) => None,
    }
}

/// Feeds that a service's document lists in a format other than markup. `address` is the URL of the document.
pub(super) fn in_document(body: &str, address: &str) -> Vec<FeedCandidate> {
    let candidate = |(title, feed_url): (Option<String>, String)| {
        let title = title.map(|title| text::cut(&text::one_line(&text::clean(&title)), MAX_TITLE_CHARS));
        Some(FeedCandidate { title, ..FeedCandidate::new(urls::readable(&feed_url)?, FeedKind::Rss) })
    };
    audio::podcasts_of_lookup(body, address).into_iter().filter_map(candidate).collect()
}
