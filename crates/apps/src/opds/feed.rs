//! Documents of the catalogue: Atom feeds that link to other feeds, and Atom feeds of books.

use extract::render::escape;
use kernel::{Millis, rfc3339};
use library::Item;
use poem::{IntoResponse, Response};

use super::call::ROOT;
use crate::book::EPUB;
pub(super) use crate::xml::xml_text;

/// Media type of the search description.
pub(super) const SEARCH: &str = "application/opensearchdescription+xml";

/// Kind of a catalogue feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Links to other feeds.
    Navigation,
    /// Lists books.
    Acquisition,
}

impl Kind {
    pub(super) fn media_type(self) -> String {
        let kind = match self {
            Self::Navigation => "navigation",
            Self::Acquisition => "acquisition",
        };
        format!("application/atom+xml;profile=opds-catalog;kind={kind}")
    }
}

pub(super) struct Feed {
    pub(super) kind: Kind,
    pub(super) title: String,
    /// Path below the catalogue's root.
    pub(super) path: String,
    /// Path of the next page. `None` on the last page.
    pub(super) next: Option<String>,
    pub(super) updated_at: Millis,
    /// Rendered entries.
    pub(super) entries: Vec<String>,
}

impl Feed {
    /// Renders the document with links below `base`.
    pub(super) fn response(&self, base: &str) -> Response {
        let link = |relation: &str, path: &str, kind: &str| {
            let href = escape(&format!("{base}{ROOT}{path}"));
            format!("<link rel=\"{relation}\" href=\"{href}\" type=\"{}\"/>\n", escape(kind))
        };
        let own = self.kind.media_type();
        let navigation = Kind::Navigation.media_type();
        let mut links = [
            link("self", &self.path, &own),
            link("start", "", &navigation),
            link("search", "/search.xml", SEARCH),
        ]
        .concat();
        if !self.path.is_empty() {
            links.push_str(&link("up", "", &navigation));
        }
        if let Some(next) = &self.next {
            links.push_str(&link("next", next, &own));
        }
        let body = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:dc=\"http://purl.org/dc/terms/\" \
xmlns:opds=\"http://opds-spec.org/2010/catalog\">
<id>{id}</id>
<title>{}</title>
<updated>{}</updated>
<author><name>Carrel</name></author>
{links}{}</feed>
",
            xml_text(&self.title),
            rfc3339(self.updated_at),
            self.entries.concat(),
            id = xml_text(&format!("{base}{ROOT}{}", self.path)),
        );
        body.with_content_type(own).into_response()
    }
}

/// Entry that links to another feed.
pub(super) fn navigation_entry(
    base: &str,
    path: &str,
    kind: Kind,
    title: &str,
    content: &str,
    at: Millis,
) -> String {
    let href = xml_text(&format!("{base}{ROOT}{path}"));
    format!(
        "<entry><id>{href}</id><title>{}</title><updated>{}</updated><content type=\"text\">{}</content>\
         <link rel=\"subsection\" href=\"{href}\" type=\"{}\"/></entry>\n",
        xml_text(title),
        rfc3339(at),
        xml_text(content),
        kind.media_type()
    )
}

/// Entry of a book.
pub(super) fn book(base: &str, item: &Item) -> String {
    let element = |name: &str, value: Option<&str>| {
        let value = value.map(str::trim).filter(|value| !value.is_empty());
        value.map(|value| format!("<{name}>{}</{name}>", xml_text(value))).unwrap_or_default()
    };
    let author = element("name", item.author.as_deref());
    let author = if author.is_empty() { author } else { format!("<author>{author}</author>") };
    let category = |tag: &String| format!("<category term=\"{0}\" label=\"{0}\"/>", xml_text(tag));
    let tags: String = item.tags.iter().map(category).collect();
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
