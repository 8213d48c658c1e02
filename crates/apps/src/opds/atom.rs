//! Renders OPDS 1.2: navigation feeds and acquisition feeds in Atom.

use extract::feed::Enclosure;
use extract::render::escape;
use feeds::Entry;
use kernel::{Millis, rfc3339};
use library::Item;
use poem::{IntoResponse, Response};

use super::catalogue::{CatalogueFormat, Navigation, OpdsFeed, OpdsFeedKind, ROOT};
use super::publications::FEED;
use crate::book::EPUB;
use crate::xml::xml_text;

/// Media type of the search description.
const SEARCH: &str = "application/opensearchdescription+xml";

impl OpdsFeedKind {
    fn media_type(self) -> String {
        let kind = match self {
            Self::Navigation => "navigation",
            Self::Acquisition => "acquisition",
        };
        format!("application/atom+xml;profile=opds-catalog;kind={kind}")
    }
}

/// Renders the feed. Its links start with `base`.
pub(super) fn response(feed: &OpdsFeed, base: &str) -> Response {
    let link_to = |relation: &str, root: &str, path: &str, kind: &str| {
        let href = escape(&format!("{base}{root}{path}"));
        format!("<link rel=\"{relation}\" href=\"{href}\" type=\"{}\"/>\n", escape(kind))
    };
    let link = |relation: &str, path: &str, kind: &str| link_to(relation, ROOT, path, kind);
    let own = feed.kind.media_type();
    let navigation = OpdsFeedKind::Navigation.media_type();
    let mut links = [
        link("self", &feed.path, &own),
        link("start", "", &navigation),
        link("search", "/search.xml", SEARCH),
    ]
    .concat();
    if feed.path.is_empty() {
        links.push_str(&link_to("alternate", CatalogueFormat::Json.root(), "", FEED));
    } else {
        links.push_str(&link("up", "", &navigation));
    }
    if let Some(next) = &feed.next {
        links.push_str(&link("next", next, &own));
    }
    let navigation = feed.navigation.iter().map(|link| navigation_entry(base, link, feed.updated_at));
    let books = feed.books.iter().map(|item| book(base, item));
    let entries: String = navigation.chain(books).chain(feed.episodes.iter().map(episode)).collect();
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:dc=\"http://purl.org/dc/terms/\" \
xmlns:opds=\"http://opds-spec.org/2010/catalog\">
<id>{id}</id>
<title>{}</title>
<updated>{}</updated>
<author><name>Carrel</name></author>
{links}{entries}</feed>
",
        xml_text(&feed.title),
        rfc3339(feed.updated_at),
        id = xml_text(&format!("{base}{ROOT}{}", feed.path)),
    );
    body.with_content_type(own).into_response()
}

/// Returns the `OpenSearch` description of the catalogue.
pub(super) fn search_description(base: &str) -> Response {
    let (base, kind) = (xml_text(base), OpdsFeedKind::Acquisition.media_type());
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">
<ShortName>Carrel</ShortName>
<Description>Search your library</Description>
<InputEncoding>UTF-8</InputEncoding>
<OutputEncoding>UTF-8</OutputEncoding>
<Url type=\"{kind}\" template=\"{base}{ROOT}/search?q={{searchTerms}}\"/>
</OpenSearchDescription>
"
    );
    body.with_content_type(SEARCH).into_response()
}

/// Renders an entry that links to another feed.
fn navigation_entry(base: &str, link: &Navigation, at: Millis) -> String {
    let href = xml_text(&format!("{base}{ROOT}{}", link.path));
    format!(
        "<entry><id>{href}</id><title>{}</title><updated>{}</updated><content type=\"text\">{}</content>\
         <link rel=\"subsection\" href=\"{href}\" type=\"{}\"/></entry>\n",
        xml_text(&link.title),
        rfc3339(at),
        xml_text(&link.description),
        link.kind.media_type()
    )
}

/// Renders the entry of a book.
fn book(base: &str, item: &Item) -> String {
    let element = |name: &str, value: Option<&str>| {
        let value = value.map(str::trim).filter(|value| !value.is_empty());
        value.map(|value| format!("<{name}>{}</{name}>", xml_text(value))).unwrap_or_default()
    };
    let author = element("name", item.author.as_deref());
    let author = if author.is_empty() { author } else { format!("<author>{author}</author>") };
    let tags = categories(&item.tags);
    let page = if item.url.starts_with("http") {
        format!("<link rel=\"alternate\" href=\"{}\" type=\"text/html\"/>", xml_text(&item.url))
    } else {
        String::new()
    };
    format!(
        "<entry><id>urn:uuid:{id}</id><title>{}</title><updated>{}</updated>{author}{}{}{tags}\
         <summary type=\"text\">{}</summary>{page}\
         <link rel=\"http://opds-spec.org/acquisition\" href=\"{base}{ROOT}/items/{id}.epub\" type=\"{EPUB}\"/></entry>\n",
        xml_text(&item.title),
        rfc3339(item.updated_at),
        element("dc:publisher", Some(&item.domain)),
        element("dc:issued", item.published_at.as_deref()),
        xml_text(&item.domain),
        id = item.id,
    )
}

/// Renders the entry of an episode with links to its recordings on the publisher's server.
fn episode(entry: &Entry) -> String {
    let recordings: String = entry.enclosures.iter().filter(|file| file.is_played()).map(recording).collect();
    let at = rfc3339(entry.published_at.unwrap_or(entry.discovered_at));
    format!(
        "<entry><id>urn:carrel:entry:{}</id><title>{}</title><updated>{at}</updated>\
         <author><name>{}</name></author><dc:publisher>{}</dc:publisher><dc:issued>{at}</dc:issued>{}\
         <summary type=\"text\">{}</summary>\
         <link rel=\"alternate\" href=\"{}\" type=\"text/html\"/>{recordings}</entry>\n",
        entry.id,
        xml_text(&entry.title),
        xml_text(entry.author.as_deref().unwrap_or(&entry.feed_title)),
        xml_text(&entry.feed_title),
        categories(&entry.categories.names),
        xml_text(entry.summary.as_deref().unwrap_or_default()),
        xml_text(&entry.url),
    )
}

fn categories(names: &[String]) -> String {
    let category = |name: &String| format!("<category term=\"{0}\" label=\"{0}\"/>", xml_text(name));
    names.iter().map(category).collect()
}

fn recording(file: &Enclosure) -> String {
    let length = file.size_bytes.map(|size| format!(" length=\"{size}\"")).unwrap_or_default();
    format!(
        "<link rel=\"http://opds-spec.org/acquisition/open-access\" href=\"{}\" type=\"{}\"{length}/>",
        xml_text(&file.url),
        xml_text(&file.media_type)
    )
}
