//! Lists of the catalogue: sections of the library, tags, and search results.

use kernel::cursor_scope::CursorScope;
use kernel::{Error, Millis};
use library::{ItemFilter, ItemPage, ItemStatus, ListPosition, ListView, POSITION_BYTES};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use poem::{IntoResponse, Response};
use url::form_urlencoded::Serializer;

use super::call::{Call, ROOT};
use super::feed::{self, Feed, Kind, SEARCH, xml_text};
use crate::fault::malformed;

/// Books or tags per page.
pub(super) const PAGE: u32 = 50;
/// Path of the recordings of followed feeds.
pub(super) const PODCASTS: &str = "/podcasts";
/// Maximum length of a query, in characters.
const QUERY_CHARS: usize = 500;

/// Named part of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LibrarySection {
    Inbox,
    Later,
    Archive,
    All,
    History,
}

impl LibrarySection {
    const ALL: [Self; 5] = [Self::Inbox, Self::Later, Self::Archive, Self::All, Self::History];

    fn slug(self) -> &'static str {
        match self {
            Self::Inbox => "inbox",
            Self::Later => "later",
            Self::Archive => "archive",
            Self::All => "all",
            Self::History => "history",
        }
    }

    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.slug() == name)
    }

    /// Title and description.
    fn title_and_description(self) -> (&'static str, &'static str) {
        match self {
            Self::Inbox => ("Inbox", "Saved and not sorted yet"),
            Self::Later => ("Later", "Saved for later"),
            Self::Archive => ("Archive", "Archived items"),
            Self::All => ("Everything", "The whole library, last saved first"),
            Self::History => ("Read", "Items you have read, last read first"),
        }
    }

    fn filter(self) -> ItemFilter {
        let of = |status| ItemFilter { status: Some(status), ..ItemFilter::default() };
        match self {
            Self::Inbox => of(ItemStatus::Inbox),
            Self::Later => of(ItemStatus::Later),
            Self::Archive => of(ItemStatus::Archive),
            Self::All => ItemFilter::default(),
            Self::History => ItemFilter { view: ListView::History, ..ItemFilter::default() },
        }
    }
}

impl Call<'_> {
    /// Root feed of the catalogue.
    pub(super) fn root(&self) -> Response {
        let (base, now) = (self.base(), self.app.domain.now());
        let section = |section: LibrarySection| {
            let (title, content) = section.title_and_description();
            feed::navigation_entry(
                base,
                &format!("/{}", section.slug()),
                Kind::Acquisition,
                title,
                content,
                now,
            )
        };
        let mut entries: Vec<String> = LibrarySection::ALL.into_iter().map(section).collect();
        entries.push(feed::navigation_entry(base, "/tags", Kind::Navigation, "Tags", "Items by tag", now));
        let about = "Recordings of the feeds that you follow, newest first";
        let kind = Kind::Acquisition;
        entries.push(feed::navigation_entry(base, PODCASTS, kind, "Podcasts", about, now));
        self.feed(Kind::Navigation, "Carrel", "", None, entries)
    }

    /// Books of a section.
    pub(super) async fn section(&self, section: LibrarySection) -> Result<Response, Error> {
        self.books(section.title_and_description().0, &format!("/{}", section.slug()), &[], section.filter())
            .await
    }

    /// Books with a tag.
    pub(super) async fn tagged(&self, tag: &str) -> Result<Response, Error> {
        let filter = ItemFilter { tag: Some(tag.to_owned()), ..ItemFilter::default() };
        self.books(tag, &tag_path(tag), &[], filter).await
    }

    /// Books that match the query `q`.
    pub(super) async fn search(&self) -> Result<Response, Error> {
        let query = self.parameters.get("q").unwrap_or_default();
        if query.chars().count() > QUERY_CHARS {
            return Err(malformed("The query is longer than 500 characters."));
        }
        let filter = ItemFilter { query: Some(query.to_owned()), ..ItemFilter::default() };
        self.books(&format!("Search: {query}"), "/search", &[("q", query)], filter).await
    }

    /// Tags in alphabetical order.
    pub(super) async fn tags(&self) -> Result<Response, Error> {
        let after = self.parameters.get("after");
        let mut tags =
            library::list_tags(&self.app.domain, self.caller.account_id, None, after, PAGE + 1).await?;
        let has_more = tags.len() > PAGE as usize;
        tags.truncate(PAGE as usize);
        let next = tags.last().filter(|_| has_more).map(|last| address("/tags", &[("after", &last.key)]));
        let (base, now) = (self.base(), self.app.domain.now());
        let tag_entry = |tag: &library::TagCount| {
            let count = format!("{} in the library", tag.count);
            feed::navigation_entry(base, &tag_path(&tag.name), Kind::Acquisition, &tag.name, &count, now)
        };
        let entries = tags.iter().map(tag_entry).collect();
        Ok(self.feed(Kind::Navigation, "Tags", "/tags", next, entries))
    }

    /// `OpenSearch` description of the catalogue.
    pub(super) fn search_description(&self) -> Response {
        let (base, kind) = (xml_text(self.base()), Kind::Acquisition.media_type());
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

    async fn books(
        &self,
        title: &str,
        path: &str,
        query: &[(&str, &str)],
        filter: ItemFilter,
    ) -> Result<Response, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let bound = CursorScope { account_id, operation: "opds", filters: format!("{filter:?}") };
        let after = match self.parameters.get("c") {
            Some(sent) => {
                let bytes = bound.open(domain, sent).await?;
                let bytes: [u8; POSITION_BYTES] =
                    bytes.try_into().map_err(|_| malformed("The cursor is not valid for this list."))?;
                Some(ListPosition::from_bytes(&bytes))
            }
            None => None,
        };
        let ItemPage { items, next, .. } = library::list(domain, account_id, &filter, after, PAGE).await?;
        let next = match next {
            Some(next) => {
                let cursor = bound.seal(domain, &next.to_bytes()).await?;
                let pairs: Vec<(&str, &str)> =
                    query.iter().copied().chain([("c", cursor.as_str())]).collect();
                Some(address(path, &pairs))
            }
            None => None,
        };
        let entries = items.iter().map(|item| feed::book(self.base(), item)).collect();
        let updated_at = items.iter().map(|item| item.updated_at).max();
        let path = if query.is_empty() { path.to_owned() } else { address(path, query) };
        let feed = Feed {
            kind: Kind::Acquisition,
            title: title.to_owned(),
            path,
            next,
            updated_at: updated_at.unwrap_or_else(|| domain.now()),
            entries,
        };
        Ok(feed.response(self.base()))
    }

    fn feed(
        &self,
        kind: Kind,
        title: &str,
        path: &str,
        next: Option<String>,
        entries: Vec<String>,
    ) -> Response {
        let updated_at: Millis = self.app.domain.now();
        let feed = Feed { kind, title: title.to_owned(), path: path.to_owned(), next, updated_at, entries };
        feed.response(self.base())
    }

    fn base(&self) -> &str {
        self.app.settings.origins.base.as_str()
    }
}

fn tag_path(tag: &str) -> String {
    format!("/tags/{}", utf8_percent_encode(tag, NON_ALPHANUMERIC))
}

/// Path with query parameters.
pub(super) fn address(path: &str, pairs: &[(&str, &str)]) -> String {
    format!("{path}?{}", Serializer::new(String::new()).extend_pairs(pairs).finish())
}
