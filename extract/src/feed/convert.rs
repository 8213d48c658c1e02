//! Converts pages and interfaces of services that have no feed. The address determines the converter;
//! [`bridges`](super::bridges) leads to these addresses. Cost and size are bounded by the limits of a feed
//! and of the child process. A response in an unexpected format is not a feed.

mod bandcamp;
mod hacker_news;
mod issues;
mod parts;
mod registries;
mod telegram;
#[cfg(test)]
mod tests;

use super::bridges::page_address::PageAddress;
use super::builder::RawFeed;

/// Converts a source. Its arguments are the text and the address of the source.
type Convert = fn(&str, &PageAddress) -> Option<RawFeed>;

/// Address of a source that is converted to a feed, with its converter.
pub(super) struct Conversion {
    page: PageAddress,
    convert: Convert,
}

impl Conversion {
    /// Finds the converter for an address. `None` if there is no converter for it.
    pub(super) fn of(address: &str) -> Option<Self> {
        let page = PageAddress::parse(address)?;
        let convert = converter(&page)?;
        Some(Self { page, convert })
    }

    /// Converts the source to a feed. `None` if its format is unexpected.
    pub(super) fn read(&self, source: &str) -> Option<RawFeed> {
        (self.convert)(source, &self.page)
    }
}

fn converter(page: &PageAddress) -> Option<Convert> {
    let convert: Convert = match (page.host(), page.path().as_slice()) {
        ("t.me", ["s", _, ..]) => telegram::channel,
        (host, ["music"]) if host.ends_with(".bandcamp.com") => bandcamp::releases,
        ("registry.npmjs.org", ["-", "v1", "search"]) => registries::npm_search,
        ("registry.npmjs.org", [name]) if !name.starts_with(['-', '@']) => registries::npm_package,
        ("registry.npmjs.org", [scope, _]) if scope.starts_with('@') => registries::npm_package,
        ("hub.docker.com", ["v2", "repositories", _, _, "tags"]) => registries::docker_tags,
        ("hub.docker.com", ["v2", "repositories", _]) => registries::docker_images,
        ("hn.algolia.com", ["api", "v1", "search" | "search_by_date"]) => hacker_news::hits,
        ("api.github.com", ["repos", _, _, "issues" | "pulls"] | ["search", "issues"])
        | (_, ["api", "v1", "repos", _, _, "issues"]) => issues::issues,
        _ => return None,
    };
    Some(convert)
}
