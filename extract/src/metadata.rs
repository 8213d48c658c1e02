//! What a page says of itself: title, authors, publisher, dates, language, canonical address.
//!
//! Each field asks its sources in order of how often they are right, and takes the first plausible answer.

mod calendar;
mod dates;
mod json_ld;
mod names;
mod shown_dates;
mod titles;

use std::collections::HashMap;

use url::Url;

use self::json_ld::Linked;
use crate::html::{
    links,
    tree::{Id, Page},
};

pub(crate) use self::{names::unescape, written_date::normal as normal_date};

/// Fields of a page. Text is folded; addresses are absolute.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) publisher: Option<String>,
    pub(crate) published_at: Option<String>,
    pub(crate) modified_at: Option<String>,
    /// As the page declares it.
    pub(crate) language: Option<String>,
    pub(crate) canonical_url: Option<String>,
}

/// What the fields are read from, gathered in one walk.
struct Sources<'p> {
    page: &'p Page,
    address: Option<&'p Url>,
    /// Contents of `meta` elements by lower case name, property, itemprop or http-equiv; the first of each.
    meta: HashMap<String, Vec<&'p str>>,
    linked: Linked,
    title: Option<Id>,
    headings: Vec<Id>,
    /// The heading that names the page.
    main_heading: Option<Id>,
    canonical: Option<&'p str>,
    html: Option<Id>,
}

/// Whether a word names a month.
pub(crate) fn is_month(word: &str) -> bool {
    calendar::month(word).is_some()
}

/// Reads all fields.
pub(crate) fn read(page: &Page, address: Option<&Url>, base: Option<&Url>) -> Metadata {
    let mut sources = Sources::gather(page, address);
    let publisher = names::publisher(&sources);
    sources.main_heading = titles::heading(&sources, publisher.as_deref());
    Metadata {
        title: titles::title(&sources, publisher.as_deref()),
        author: names::author(&sources, publisher.as_deref()),
        published_at: dates::published(&sources),
        modified_at: dates::modified(&sources),
        language: sources.language(),
        canonical_url: sources.canonical.and_then(|href| links::resolve_web(base, href)),
        publisher,
    }
}

impl<'p> Sources<'p> {
    fn gather(page: &'p Page, address: Option<&'p Url>) -> Self {
        let mut sources = Self {
            page,
            address,
            meta: HashMap::new(),
            linked: Linked::default(),
            title: None,
            headings: Vec::new(),
            main_heading: None,
            canonical: None,
            html: None,
        };
        let mut scripts = Vec::new();
        for id in 1..page.len() {
            match page.tag(id) {
                "meta" => sources.add_meta(id),
                "title" if sources.title.is_none() && page.is(page.parent(id), "head") => {
                    sources.title = Some(id);
                }
                "h1" | "h2" => sources.headings.push(id),
                "html" => sources.html = Some(id),
                "link"
                    if page.attribute(id, "rel").is_some_and(|rel| rel.eq_ignore_ascii_case("canonical")) =>
                {
                    sources.canonical = sources.canonical.or(page.value(id, "href"));
                }
                "script"
                    if page
                        .attribute(id, "type")
                        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json")) =>
                {
                    scripts.push(page.children(id).filter_map(|child| page.text(child)).collect::<String>());
                }
                _ => {}
            }
        }
        sources.linked = json_ld::read(&scripts);
        sources
    }

    fn add_meta(&mut self, id: Id) {
        let Some(content) = self.page.value(id, "content") else { return };
        for attribute in ["property", "name", "itemprop", "http-equiv"] {
            let Some(names) = self.page.value(id, attribute) else { continue };
            for name in names.split_ascii_whitespace() {
                self.meta.entry(name.to_ascii_lowercase()).or_default().push(content);
            }
        }
    }

    /// The first content of the first of these names that has one.
    fn first(&self, names: &[&str]) -> Option<&'p str> {
        names.iter().find_map(|name| self.meta.get(*name)?.first().copied())
    }

    fn language(&self) -> Option<String> {
        let declared =
            self.html.and_then(|id| self.page.value(id, "lang").or_else(|| self.page.value(id, "xml:lang")));
        let named = declared.or_else(|| {
            self.first(&["content-language", "og:locale", "dc.language", "language", "inlanguage"])
        })?;
        let tag = named.split([',', ';']).next()?.trim().replace('_', "-");
        let plausible = tag.len() <= 20
            && tag.split('-').next().is_some_and(|main| (2..=3).contains(&main.len()))
            && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        plausible.then_some(tag)
    }
}

#[cfg(test)]
mod tests;
mod written_date;
