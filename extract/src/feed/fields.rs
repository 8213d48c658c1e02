//! Meaning of each field of a feed and of an entry, in every format.

use super::builder::{Person, RawEntry, RawFeed, RawLink, RichText, TextKind};
use super::dates::{self, DateOrder};
use super::field::Captured;
use super::names::Vocabulary;
use super::{episode, text, urls};

/// Field that the tolerant reader captured.
pub(super) struct CapturedField<'a> {
    pub(super) vocabulary: Vocabulary,
    /// Local name in lower case.
    pub(super) local: &'a str,
    /// `type` attribute.
    pub(super) kind: String,
    /// `mode` attribute of Atom 0.3.
    pub(super) mode: String,
    /// True if `isPermaLink` says that the guid is not a URL.
    pub(super) guid_is_not_url: bool,
    pub(super) base: Option<String>,
    pub(super) date_order: DateOrder,
    /// Syntax of a text without a declared type, in this format.
    pub(super) plain: TextKind,
    pub(super) captured: Captured,
}

impl CapturedField<'_> {
    fn rich(&self, default: TextKind) -> Option<RichText> {
        let mut rich = self.captured.rich(&self.kind, &self.mode, default)?;
        rich.base.clone_from(&self.base);
        Some(rich)
    }

    /// Field as plain text on one line.
    pub(super) fn line(&self) -> Option<String> {
        self.rich(self.plain).map(|rich| text::one_line(&rich.plain())).filter(|line| !line.is_empty())
    }

    fn text(&self) -> Option<String> {
        let text = self.captured.plain().trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    fn time(&self) -> Option<i64> {
        self.text().and_then(|text| dates::millis(&text, self.date_order))
    }

    fn person(&self) -> Option<Person> {
        self.text().as_deref().and_then(Person::parse)
    }

    /// Link to the comments on an entry, which is not a link of the entry itself.
    fn replies(&self) -> Option<RawLink> {
        let text = self.text()?;
        let href = urls::join(self.base.as_deref(), &text)?;
        Some(RawLink { href, rel: Some("replies".to_owned()), ..RawLink::default() })
    }

    /// Applies the field to the feed.
    pub(super) fn apply_to_feed(&self, feed: &mut RawFeed) {
        match (self.vocabulary, self.local) {
            (Vocabulary::Core | Vocabulary::DublinCore, "title") => {
                feed.title = feed.title.take().or_else(|| self.rich(self.plain));
            }
            (Vocabulary::Core | Vocabulary::DublinCore, "description")
            | (Vocabulary::Core, "subtitle" | "tagline" | "abstract")
            | (Vocabulary::Itunes, "summary") => {
                feed.description = feed.description.take().or_else(|| self.rich(TextKind::Guess));
            }
            (Vocabulary::Core | Vocabulary::DublinCore, "language") => {
                feed.language = self.text().or(feed.language.take());
            }
            (Vocabulary::Core, "lastbuilddate" | "updated" | "modified")
            | (Vocabulary::DublinCore, "date") => {
                feed.updated = self.time().or(feed.updated);
            }
            (Vocabulary::Core, "logo" | "icon") => feed.image = feed.image.take().or_else(|| self.text()),
            (Vocabulary::DublinCore, "creator" | "author") | (Vocabulary::Itunes, "author") => {
                feed.authors.extend(self.person());
            }
            (Vocabulary::Itunes, "explicit") => {
                let stated = self.text().as_deref().and_then(episode::explicit);
                feed.explicit = feed.explicit.or(stated);
            }
            _ => {}
        }
    }

    /// Applies the field to an entry. If several fields have the same meaning, the first one is used. For
    /// times and ids, the last one is used.
    pub(super) fn apply_to_entry(&self, entry: &mut RawEntry) {
        match (self.vocabulary, self.local) {
            (Vocabulary::Core, "guid" | "id") => {
                entry.id = self.text().or(entry.id.take());
                entry.id_is_not_url = self.guid_is_not_url;
            }
            (Vocabulary::Core, "published" | "pubdate" | "issued") | (Vocabulary::Terms, "issued") => {
                entry.published = self.time().or(entry.published);
            }
            (Vocabulary::Core, "updated" | "modified" | "lastbuilddate" | "date")
            | (Vocabulary::Terms, "modified")
            | (Vocabulary::DublinCore, "date") => entry.updated = self.time().or(entry.updated),
            (Vocabulary::DublinCore, "identifier") => {
                entry.extension.id = entry.extension.id.take().or_else(|| self.text());
            }
            (Vocabulary::Core | Vocabulary::Terms, "created") => {
                entry.created = self.time().or(entry.created);
            }
            (Vocabulary::DublinCore, "creator" | "author") | (Vocabulary::Itunes, "author") => {
                entry.authors.extend(self.person());
            }
            (Vocabulary::Itunes, "duration" | "season" | "episode" | "episodetype" | "explicit") => {
                entry.episode.apply_itunes(self.local, &self.text().unwrap_or_default());
            }
            _ => self.apply_text_to_entry(entry),
        }
    }

    fn apply_text_to_entry(&self, entry: &mut RawEntry) {
        match (self.vocabulary, self.local) {
            (Vocabulary::Core, "title") => {
                entry.title = entry.title.take().or_else(|| self.rich(self.plain));
            }
            (Vocabulary::DublinCore | Vocabulary::Media, "title") => {
                entry.extension.title = entry.extension.title.take().or_else(|| self.rich(self.plain));
            }
            (Vocabulary::Content, "encoded")
            | (Vocabulary::Core, "fullitem" | "body")
            | (Vocabulary::Xhtml, "body" | "div") => {
                entry.content = self.rich(TextKind::Html).or(entry.content.take());
            }
            (Vocabulary::Core, "content") => {
                entry.content = entry.content.take().or_else(|| self.rich(TextKind::Plain));
            }
            (Vocabulary::Core | Vocabulary::DublinCore, "description") => {
                entry.add_description(self.rich(TextKind::Html));
            }
            (Vocabulary::Core, "summary" | "abstract") | (Vocabulary::Itunes, "summary") => {
                entry.add_description(self.rich(self.plain));
            }
            (Vocabulary::Core, "comments") => entry.links.extend(self.replies()),
            (Vocabulary::Media, "description") => {
                entry.extension.summary = entry.extension.summary.take().or_else(|| self.rich(self.plain));
            }
            _ => {}
        }
    }
}
