//! Content of the page Today in daily digests by mail, and due highlights in the daily digests of all channels. The
//! content belongs to capabilities above this crate, so `application` installs a [`TodayLoader`].

use std::sync::Arc;

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use language::Key;
use serde_json::{Value, json};

use super::plain_text::one_line;
use super::text::NOTICES;
use kernel::{Domain, Language, Millis, Result};

/// Content of the page Today.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TodayDigest {
    /// Sections in the order of the page. Sections without rows are omitted.
    pub lists: Vec<TodayList>,
    /// Number of highlights that are due for review.
    pub due_highlights: u32,
    /// Page on which highlights are reviewed.
    pub review_link: String,
    /// True if something is new since the last digest.
    pub has_news: bool,
}

impl TodayDigest {
    /// Removes the rows with these links.
    #[must_use]
    pub(super) fn without(mut self, links: &[&str]) -> Self {
        for list in &mut self.lists {
            list.rows.retain(|row| !links.contains(&row.link.as_str()));
        }
        self.lists.retain(|list| !list.rows.is_empty());
        self
    }
}

/// One section of the page Today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TodayList {
    pub section: TodaySection,
    /// Name that the owner gave to the list. `None` for the heading of the section.
    pub name: Option<String>,
    pub rows: Vec<TodayRow>,
}

impl TodayList {
    /// Due highlights of the list as JSON. Empty for other sections.
    pub(super) fn highlights_json(&self) -> impl Iterator<Item = Value> {
        let rows = self.rows.iter().filter(move |_| self.section == TodaySection::Highlights);
        rows.map(move |row| {
            json!({ "review": self.name, "text": row.title, "source": row.note, "link": row.link })
        })
    }

    /// Heading of the list, on one line.
    pub(super) fn heading(&self, language: Language) -> String {
        match &self.name {
            Some(name) => one_line(name),
            None => NOTICES.text(language, self.section.heading()).get(),
        }
    }
}

/// Sections of the page Today that list rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TodaySection {
    Changes,
    Unread,
    Started,
    Saved,
    Waiting,
    ThisDay,
    /// Feeds that cannot be fetched.
    Attention,
    /// Highlights that are due for review.
    Highlights,
}

impl TodaySection {
    /// Heading of the section.
    const fn heading(self) -> Key {
        match self {
            Self::Changes => Key("today-changes"),
            Self::Unread => Key("today-unread"),
            Self::Started => Key("today-started"),
            Self::Saved => Key("today-saved"),
            Self::Waiting => Key("today-waiting"),
            Self::ThisDay => Key("today-this-day"),
            Self::Attention => Key("today-attention"),
            Self::Highlights => Key("today-highlights"),
        }
    }
}

/// Row of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TodayRow {
    title: String,
    note: String,
    link: String,
}

impl TodayRow {
    /// Creates a row from texts of pages. `link` is a URL of this service. Control characters are removed, and
    /// the length is limited.
    pub fn new(title: &str, note: &str, link: String) -> Self {
        Self { title: one_line(title), note: one_line(note), link }
    }

    /// Title of an entry, a change, an item, or a feed, or the quote of a highlight.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Source of the row, or the values of a change. May be empty.
    pub fn note(&self) -> &str {
        &self.note
    }

    pub fn link(&self) -> &str {
        &self.link
    }
}

/// Content of a digest, as the owner of its channel has chosen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigestContent {
    /// Entries and changes detected after this time are new.
    pub since: Millis,
    /// True if the digest contains the content of the page Today.
    pub today: bool,
    /// True if the digest contains the highlights that are due for review.
    pub review: bool,
}

/// Loads the content of digests.
pub trait TodayLoader: Send + Sync {
    /// Loads the content of a digest of an account.
    fn load<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        content: DigestContent,
    ) -> BoxFuture<'a, Result<TodayDigest>>;
}

/// The loader installed in the [`Domain`] handle.
#[derive(Clone)]
pub struct InstalledToday(pub Arc<dyn TodayLoader>);
