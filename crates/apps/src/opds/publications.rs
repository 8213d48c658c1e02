//! Renders OPDS 2.0: JSON feeds with navigation, publications, and groups, and the authentication document.

use feeds::Entry;
use kernel::{Error, rfc3339};
use library::Item;
use poem::{IntoResponse, Response};
use serde_json::{Value, json};

use super::catalogue::{CatalogueFormat, Navigation, OpdsFeed, OpdsFeedKind, OpdsGroup, ROOT};
use crate::book::{EPUB, authors_of};

/// Media type of a feed.
pub(super) const FEED: &str = "application/opds+json";
/// Media type of the authentication document.
const AUTHENTICATION: &str = "application/opds-authentication+json";
/// Link relation of a file that can be read or played without further steps.
const ACQUISITION: &str = "http://opds-spec.org/acquisition/open-access";

/// Renders the feed. Its links start with `base`. `page_size` is the maximum number of entries on a page.
///
/// # Errors
/// If the JSON cannot be serialized, which does not happen for feeds of the catalogue.
pub(super) fn response(feed: &OpdsFeed, base: &str, page_size: u32) -> Result<Response, Error> {
    let root = format!("{base}{}", CatalogueFormat::Json.root());
    let link = |relation: &str, path: &str| json!({ "rel": relation, "href": format!("{root}{path}"), "type": FEED });
    let mut links = vec![link("self", &feed.path), link("start", "")];
    links.push(json!({
        "rel": "search", "href": format!("{root}/search{{?query}}"), "type": FEED, "templated": true
    }));
    if !feed.path.is_empty() {
        links.push(link("up", ""));
    }
    if let Some(next) = &feed.next {
        links.push(link("next", next));
    }
    let mut document = json!({
        "metadata": {
            "title": feed.title, "modified": rfc3339(feed.updated_at), "itemsPerPage": page_size
        },
        "links": links,
    });
    match feed.kind {
        OpdsFeedKind::Navigation => {
            let navigation = feed.navigation.iter().map(|entry| navigation_link(&root, entry));
            document["navigation"] = navigation.collect::<Vec<Value>>().into();
        }
        OpdsFeedKind::Acquisition => {
            let books = feed.books.iter().map(|item| publication(base, item));
            document["publications"] =
                books.chain(feed.episodes.iter().map(episode)).collect::<Vec<Value>>().into();
        }
    }
    let groups = feed.groups.iter().filter(|group| !group.books.is_empty());
    let groups: Vec<Value> = groups.map(|entry| group(base, &root, entry)).collect();
    if !groups.is_empty() {
        document["groups"] = groups.into();
    }
    let text = serde_json::to_vec(&document).map_err(Error::internal)?;
    Ok(text.with_content_type(FEED).into_response())
}

/// Returns the authentication document, which describes how an e-reader signs in.
pub(super) fn authentication(base: &str) -> Response {
    let root = format!("{base}{}", CatalogueFormat::Json.root());
    let document = json!({
        "id": format!("{root}/authentication"),
        "title": "Carrel",
        "description": "Sign in with your e-mail address, and an API key as the password.",
        "links": [
            { "rel": "start", "href": root, "type": FEED },
            { "rel": "help", "href": format!("{base}/docs/developer"), "type": "text/html" },
        ],
        "authentication": [{
            "type": "http://opds-spec.org/auth/basic",
            "labels": { "login": "E-mail address", "password": "API key" },
        }],
    });
    document.to_string().with_content_type(AUTHENTICATION).into_response()
}

fn navigation_link(root: &str, entry: &Navigation) -> Value {
    json!({
        "href": format!("{root}{}", entry.path), "title": entry.title, "type": FEED, "rel": "subsection"
    })
}

fn group(base: &str, root: &str, group: &OpdsGroup) -> Value {
    json!({
        "metadata": { "title": group.title },
        "links": [{ "rel": "self", "href": format!("{root}{}", group.path), "type": FEED }],
        "publications": group.books.iter().map(|item| publication(base, item)).collect::<Vec<Value>>(),
    })
}

/// Converts an item to a publication.
fn publication(base: &str, item: &Item) -> Value {
    let mut metadata = json!({
        "@type": "http://schema.org/Article",
        "identifier": format!("urn:uuid:{}", item.id),
        "title": item.title,
        "modified": rfc3339(item.updated_at),
        "publisher": item.domain,
    });
    if let Some(names) = &item.author {
        let authors = authors_of(names).into_iter().map(|name| json!({ "name": name }));
        metadata["author"] = authors.collect::<Vec<Value>>().into();
    }
    if let Some(time) = &item.published_at {
        metadata["published"] = time.as_str().into();
    }
    if !item.tags.is_empty() {
        metadata["subject"] = item.tags.clone().into();
    }
    let book = format!("{base}{ROOT}/items/{}.epub", item.id);
    let mut links = vec![json!({ "rel": ACQUISITION, "href": book, "type": EPUB })];
    if item.url.starts_with("http") {
        links.push(json!({ "rel": "alternate", "href": item.url, "type": "text/html" }));
    }
    json!({ "metadata": metadata, "links": links })
}

/// Converts an episode to a publication, with links to its recordings on the publisher's server.
fn episode(entry: &Entry) -> Value {
    let at = rfc3339(entry.published_at.unwrap_or(entry.discovered_at));
    let files = entry.enclosures.iter().filter(|file| file.is_played());
    let mut links: Vec<Value> = files
        .map(|file| {
            let mut link = json!({ "rel": ACQUISITION, "href": file.url, "type": file.media_type });
            if let Some(size) = file.size_bytes {
                link["size"] = size.into();
            }
            link
        })
        .collect();
    links.push(json!({ "rel": "alternate", "href": entry.url, "type": "text/html" }));
    let mut metadata = json!({
        "@type": "http://schema.org/PodcastEpisode",
        "identifier": format!("urn:carrel:entry:{}", entry.id),
        "title": entry.title,
        "author": [{ "name": entry.author.as_deref().unwrap_or(&entry.feed_title) }],
        "publisher": entry.feed_title,
        "published": at,
        "modified": at,
        "description": entry.summary.as_deref().unwrap_or_default(),
    });
    if !entry.categories.is_empty() {
        metadata["subject"] = entry.categories.names.clone().into();
    }
    json!({ "metadata": metadata, "links": links })
}
