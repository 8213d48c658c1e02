//! Sources of the metadata of a page, collected in one pass.

use std::collections::HashMap;

use url::Url;

use super::json_ld::{self, LinkedData};
use crate::page::{Id, Page};

/// Sources of the metadata of a page.
pub(super) struct MetadataSources<'p> {
    pub(super) page: &'p Page,
    pub(super) address: Option<&'p Url>,
    /// Contents of `meta` elements, by name, property, `itemprop` or `http-equiv` in lower case.
    pub(super) meta: HashMap<String, Vec<&'p str>>,
    pub(super) linked: LinkedData,
    pub(super) title: Option<Id>,
    pub(super) headings: Vec<Id>,
    /// Heading that contains the title of the page.
    pub(super) main_heading: Option<Id>,
    pub(super) canonical: Option<&'p str>,
    pub(super) html: Option<Id>,
}

impl<'p> MetadataSources<'p> {
    pub(super) fn gather(page: &'p Page, address: Option<&'p Url>) -> Self {
        let mut sources = Self {
            page,
            address,
            meta: HashMap::new(),
            linked: LinkedData::default(),
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

    /// Returns the content of the first of these names that the page declares.
    pub(super) fn first(&self, names: &[&str]) -> Option<&'p str> {
        names.iter().find_map(|name| self.meta.get(*name)?.first().copied())
    }

    pub(super) fn language(&self) -> Option<String> {
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
