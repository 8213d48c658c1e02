//! Metadata of a page: title, authors, publisher, dates, language, canonical URL.
//!
//! The sources of each field are tried in the order of their reliability. The first plausible value is used.

mod byline_text;
mod calendar;
mod date_words;
mod dates;
mod eastern_names;
mod forum_posters;
mod job_titles;
mod json_ld;
mod late_bylines;
mod names;
mod person;
mod portraits;
mod references;
mod site_name;
mod sources;
mod titles;
mod visible_dates;

use url::Url;

use self::sources::MetadataSources;
use crate::page::{Page, PageType, Types, links};

pub use self::written_date::normal as normal_date;
pub(crate) use self::{
    calendar::{is_month, may_contain_date},
    job_titles::is_title_word,
    json_ld::parse as parse_data,
    references::unescape,
};

/// Fields of a page. White space in texts is folded; URLs are absolute.
#[derive(Debug, Default)]
pub(crate) struct PageMetadata {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) publisher: Option<String>,
    pub(crate) published_at: Option<String>,
    pub(crate) modified_at: Option<String>,
    /// Language that the page declares.
    pub(crate) language: Option<String>,
    pub(crate) canonical_url: Option<String>,
}

/// Reads all fields. `types` are the probable types of the page.
pub(crate) fn read(page: &Page, address: Option<&Url>, base: Option<&Url>, types: &Types) -> PageMetadata {
    let offers = types.share(&[PageType::Service, PageType::Collection]) > 0.5;
    let mut sources = MetadataSources::gather(page, address);
    let publisher = names::publisher(&sources);
    sources.main_heading = titles::heading(&sources, publisher.as_deref());
    PageMetadata {
        title: titles::title(&sources, publisher.as_deref(), offers),
        author: names::author(&sources, publisher.as_deref(), types),
        published_at: dates::published(&sources),
        modified_at: dates::modified(&sources),
        language: sources.language(),
        canonical_url: sources.canonical.and_then(|href| links::resolve_web(base, href)),
        publisher,
    }
}

#[cfg(test)]
mod tests;
mod written_date;
