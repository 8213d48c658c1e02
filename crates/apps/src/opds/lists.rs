//! Lists of the catalogue: sections of the library, tags, and search results.

use kernel::Error;
use kernel::cursor_scope::CursorScope;
use library::{ItemFilter, ItemPage, ItemStatus, ListPosition, ListView, POSITION_BYTES};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use poem::Response;
use url::form_urlencoded::Serializer;

use super::call::OpdsCall;
use super::catalogue::{CatalogueFormat, Navigation, OpdsFeed, OpdsFeedKind, OpdsGroup};
use super::{atom, publications};
use crate::fault::malformed;

/// Number of books, tags, or episodes per page.
pub(super) const PAGE: u32 = 50;
/// Path of the feed with the recordings of followed feeds.
pub(super) const PODCASTS: &str = "/podcasts";
/// Number of books per group.
const GROUP: u32 = 10;
/// Maximum length of a search query in characters.
const QUERY_CHARS: usize = 500;

/// Section of the library that has a separate feed.
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

impl OpdsCall<'_> {
    /// Returns the root feed of the catalogue.
    pub(super) async fn root(&self) -> Result<Response, Error> {
        let section = |section: LibrarySection| {
            let (title, description) = section.title_and_description();
            Navigation {
                path: format!("/{}", section.slug()),
                kind: OpdsFeedKind::Acquisition,
                title: title.to_owned(),
                description: description.to_owned(),
            }
        };
        let mut navigation: Vec<Navigation> = LibrarySection::ALL.into_iter().map(section).collect();
        navigation.push(Navigation {
            path: "/tags".to_owned(),
            kind: OpdsFeedKind::Navigation,
            title: "Tags".to_owned(),
            description: "Items by tag".to_owned(),
        });
        navigation.push(Navigation {
            path: PODCASTS.to_owned(),
            kind: OpdsFeedKind::Acquisition,
            title: "Podcasts".to_owned(),
            description: "Recordings of the feeds that you follow, newest first".to_owned(),
        });
        let mut feed = self.navigation_feed("Carrel", "", navigation);
        if self.format == CatalogueFormat::Json {
            for section in [LibrarySection::Inbox, LibrarySection::Later] {
                feed.groups.push(self.group(section).await?);
            }
        }
        self.render(&feed)
    }

    /// Returns the first books of a section.
    async fn group(&self, section: LibrarySection) -> Result<OpdsGroup, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let page = library::list(domain, account_id, &section.filter(), None, GROUP).await?;
        let title = section.title_and_description().0.to_owned();
        Ok(OpdsGroup { title, path: format!("/{}", section.slug()), books: page.items })
    }

    /// Returns the books of a section.
    pub(super) async fn section(&self, section: LibrarySection) -> Result<Response, Error> {
        self.books(section.title_and_description().0, &format!("/{}", section.slug()), &[], section.filter())
            .await
    }

    /// Returns the books that have a tag.
    pub(super) async fn tagged(&self, tag: &str) -> Result<Response, Error> {
        let filter = ItemFilter { tag: Some(tag.to_owned()), ..ItemFilter::default() };
        self.books(tag, &tag_path(tag), &[], filter).await
    }

    /// Returns the books that match a search query.
    pub(super) async fn search(&self) -> Result<Response, Error> {
        let parameter = self.format.search_parameter();
        let query = self.parameters.get(parameter).unwrap_or_default();
        if query.chars().count() > QUERY_CHARS {
            return Err(malformed("The query is longer than 500 characters."));
        }
        let filter = ItemFilter { query: Some(query.to_owned()), ..ItemFilter::default() };
        self.books(&format!("Search: {query}"), "/search", &[(parameter, query)], filter).await
    }

    /// Returns the tags in alphabetical order.
    pub(super) async fn tags(&self) -> Result<Response, Error> {
        let after = self.parameters.get("after");
        let mut tags =
            library::list_tags(&self.app.domain, self.caller.account_id, None, after, PAGE + 1).await?;
        let has_more = tags.len() > PAGE as usize;
        tags.truncate(PAGE as usize);
        let next = tags.last().filter(|_| has_more).map(|last| address("/tags", &[("after", &last.key)]));
        let link = |tag: &library::TagCount| Navigation {
            path: tag_path(&tag.name),
            kind: OpdsFeedKind::Acquisition,
            title: tag.name.clone(),
            description: format!("{} in the library", tag.count),
        };
        let mut feed = self.navigation_feed("Tags", "/tags", tags.iter().map(link).collect());
        feed.next = next;
        self.render(&feed)
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
            Some(cursor) => {
                let bytes = bound.open(domain, cursor).await?;
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
        let updated_at = items.iter().map(|item| item.updated_at).max();
        let path = if query.is_empty() { path.to_owned() } else { address(path, query) };
        self.render(&OpdsFeed {
            kind: OpdsFeedKind::Acquisition,
            title: title.to_owned(),
            path,
            next,
            updated_at: updated_at.unwrap_or_else(|| domain.now()),
            navigation: Vec::new(),
            books: items,
            episodes: Vec::new(),
            groups: Vec::new(),
        })
    }

    fn navigation_feed(&self, title: &str, path: &str, navigation: Vec<Navigation>) -> OpdsFeed {
        OpdsFeed {
            kind: OpdsFeedKind::Navigation,
            title: title.to_owned(),
            path: path.to_owned(),
            next: None,
            updated_at: self.app.domain.now(),
            navigation,
            books: Vec::new(),
            episodes: Vec::new(),
            groups: Vec::new(),
        }
    }

    pub(super) fn render(&self, feed: &OpdsFeed) -> Result<Response, Error> {
        let base = self.app.settings.origins.base.as_str();
        match self.format {
            CatalogueFormat::Atom => Ok(atom::response(feed, base)),
            CatalogueFormat::Json => publications::response(feed, base, PAGE),
        }
    }
}

fn tag_path(tag: &str) -> String {
    format!("/tags/{}", utf8_percent_encode(tag, NON_ALPHANUMERIC))
}

/// Appends query parameters to a path.
pub(super) fn address(path: &str, pairs: &[(&str, &str)]) -> String {
    format!("{path}?{}", Serializer::new(String::new()).extend_pairs(pairs).finish())
}
