//! Texts of an entry that rules change.

use articles::Address;
use extract::feed::{ParsedEntry, readable_url};
use serde::{Deserialize, Serialize};

use kernel::Domain;

/// Texts of an entry that rules change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EntryTexts {
    pub(crate) title: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) summary: Option<String>,
    /// Markup. It may have the marks of a prepared body.
    pub(crate) content: Option<String>,
}

impl EntryTexts {
    pub(crate) fn of(entry: &ParsedEntry) -> Self {
        let texts = [&entry.content_html, &entry.summary_html];
        Self {
            title: entry.title.clone(),
            url: entry.url.clone(),
            summary: entry.summary.clone(),
            content: texts.into_iter().flatten().max_by_key(|text| text.len()).cloned(),
        }
    }

    pub(super) fn write_to(self, entry: &mut ParsedEntry) {
        entry.title = self.title;
        entry.url = self.url;
        entry.summary = self.summary;
        entry.content_html = self.content;
        entry.summary_html = None;
    }
}

/// Returns the normal form of a rewritten address. `None` if it is not an address that may be fetched.
pub(crate) fn allowed_address(domain: &Domain, url: &str) -> Option<String> {
    let url = readable_url(url)?;
    Address::parse(domain, &url).ok().map(|_| url)
}
