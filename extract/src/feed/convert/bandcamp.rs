//! Music page of an artist or label on Bandcamp. Releases have no date; their order is the order of the page.

use std::collections::HashSet;

use dom_query::Selection;
use serde_json::{Map, Value};
use url::Url;

use super::super::bridges::page_address::PageAddress;
use super::super::builder::{RawEntry, RawFeed};
use super::super::json::text;
use super::parts;
use crate::{limits, page::parse};

/// Maximum number of releases that are read.
const MAX_RELEASES: usize = 2_000;

/// Albums and tracks of the grid. The first releases are elements, and the others are in the data of the
/// grid.
pub(super) fn releases(source: &str, page: &PageAddress) -> Option<RawFeed> {
    limits::check(source).ok()?;
    let document = parse::parse(source).ok()?;
    let grid = document.select("#music-grid");
    if grid.is_empty() {
        return None;
    }
    let base = Url::parse(page.as_str()).ok()?;
    let name = document.select("meta[property='og:title']").attr_or("content", page.host());
    let mut feed = parts::feed(name.trim(), page.as_str());
    let items = grid.select("li.music-grid-item");
    let elements = items.iter().take(MAX_RELEASES).filter_map(|item| element(&item, &base));
    let data = grid.attr("data-client-items").and_then(|json| serde_json::from_str::<Value>(&json).ok());
    let further = parts::objects(data.as_ref()).into_iter().flatten();
    let further = further.take(MAX_RELEASES).filter_map(|item| release(item, &base));
    let mut known = HashSet::new();
    let mut is_new = |entry: &RawEntry| known.insert(entry.id.clone());
    feed.entries = elements.chain(further).filter(|entry| is_new(entry)).collect();
    Some(feed)
}

/// Converts an element of the grid to an entry.
fn element(item: &Selection<'_>, base: &Url) -> Option<RawEntry> {
    let page = base.join(&item.select("a[href]").attr("href")?).ok()?;
    let title = item.select(".title");
    let artist = title.select(".artist-override").text().trim().to_owned();
    let picture = item.select("img");
    let source = picture.attr("data-original").or_else(|| picture.attr("src"));
    Some(RawEntry {
        authors: parts::author(Some(artist).filter(|artist| !artist.is_empty())),
        images: source.map(|source| source.to_string()).into_iter().collect(),
        ..parts::entry(page.as_str(), &title.immediate_text(), page.as_str())
    })
}

/// Converts a release in the data of the grid to an entry.
fn release(item: &Map<String, Value>, base: &Url) -> Option<RawEntry> {
    let page = base.join(&text(item, "page_url")?).ok()?;
    let title = text(item, "title")?;
    Some(RawEntry {
        authors: parts::author(text(item, "artist")),
        ..parts::entry(page.as_str(), &title, page.as_str())
    })
}
