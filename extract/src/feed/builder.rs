//! A parsed feed before normalisation. Both parsers (feed-rs and the tolerant [`reader`](super::reader))
//! produce it for [`finalize`](super::finalize), so that an entry has the same meaning with either parser.

use std::borrow::Cow;

use super::FeedKind;
use super::episode::{Episode, EpisodePerson};

/// Syntax of an element's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    Plain,
    Html,
    /// Text declared as plain or without a declaration, in a format in which such text often contains markup.
    Guess,
}

/// Text with its syntax and the base URL of its relative links.
#[derive(Clone, Debug)]
pub(super) struct RichText {
    pub(super) value: String,
    pub(super) form: TextKind,
    pub(super) base: Option<String>,
}

impl RichText {
    pub(super) fn new(value: String, form: TextKind) -> Option<Self> {
        (!value.trim().is_empty()).then_some(Self { value, form, base: None })
    }

    pub(super) fn is_html(&self) -> bool {
        match self.form {
            TextKind::Plain => false,
            TextKind::Html => true,
            TextKind::Guess => super::text::looks_like_html(&self.value),
        }
    }

    /// Text without its markup.
    pub(super) fn plain(&self) -> Cow<'_, str> {
        if self.is_html() { super::text::plain(&self.value).into() } else { Cow::Borrowed(&self.value) }
    }
}

/// Link with its attributes in the feed.
#[derive(Clone, Debug, Default)]
pub(super) struct RawLink {
    pub(super) href: String,
    pub(super) rel: Option<String>,
    pub(super) media_type: Option<String>,
    /// Declared size of an attached file.
    pub(super) size_bytes: Option<u64>,
}

/// Author or contributor.
#[derive(Clone, Debug, Default)]
pub(super) struct Person {
    pub(super) name: Option<String>,
    pub(super) email: Option<String>,
}

/// Parsed entry. Times are milliseconds since the epoch.
#[derive(Clone, Debug, Default)]
pub(super) struct RawEntry {
    pub(super) id: Option<String>,
    /// True if the feed says that the id is not a URL (`isPermaLink="false"`).
    pub(super) id_is_not_url: bool,
    pub(super) title: Option<RichText>,
    pub(super) links: Vec<RawLink>,
    pub(super) authors: Vec<Person>,
    /// Authors of the feed from which the entry was copied.
    pub(super) source_authors: Vec<Person>,
    pub(super) published: Option<i64>,
    pub(super) updated: Option<i64>,
    pub(super) created: Option<i64>,
    pub(super) summary: Option<RichText>,
    pub(super) content: Option<RichText>,
    pub(super) images: Vec<String>,
    /// Categories as the feed states them.
    pub(super) categories: Vec<String>,
    /// Attached pictures. They belong to the content of a post without a title.
    pub(super) pictures: Vec<AttachedPicture>,
    pub(super) episode: Episode,
    /// Fields from extensions, used if the entry does not have the corresponding fields of the feed format.
    pub(super) extension: ExtensionFields,
}

/// Attached picture with its description.
#[derive(Clone, Debug, Default)]
pub(super) struct AttachedPicture {
    pub(super) url: String,
    pub(super) description: Option<String>,
}

/// Fields from vocabularies that extend RSS and Atom.
#[derive(Clone, Debug, Default)]
pub(super) struct ExtensionFields {
    pub(super) id: Option<String>,
    pub(super) title: Option<RichText>,
    pub(super) summary: Option<RichText>,
    pub(super) authors: Vec<Person>,
}

/// Parsed feed.
#[derive(Clone, Debug)]
pub(super) struct RawFeed {
    pub(super) kind: FeedKind,
    pub(super) title: Option<RichText>,
    pub(super) description: Option<RichText>,
    pub(super) links: Vec<RawLink>,
    pub(super) authors: Vec<Person>,
    pub(super) image: Option<String>,
    pub(super) language: Option<String>,
    pub(super) updated: Option<i64>,
    /// Persons that apply to all episodes.
    pub(super) persons: Vec<EpisodePerson>,
    /// `itunes:explicit` for all episodes.
    pub(super) explicit: Option<bool>,
    pub(super) entries: Vec<RawEntry>,
}

impl RawFeed {
    pub(super) fn new(kind: FeedKind) -> Self {
        Self {
            kind,
            title: None,
            description: None,
            links: Vec::new(),
            authors: Vec::new(),
            image: None,
            language: None,
            updated: None,
            persons: Vec::new(),
            explicit: None,
            entries: Vec::new(),
        }
    }
}

impl RawEntry {
    /// Adds a description. The first description becomes the summary, and the second one the content.
    pub(super) fn add_description(&mut self, text: Option<RichText>) {
        let Some(text) = text else { return };
        if self.summary.is_none() {
            self.summary = Some(text);
        } else if self.content.is_none() {
            self.content = Some(text);
        }
    }

    /// Fills missing fields from the extensions.
    pub(super) fn apply_extension(&mut self) {
        let ExtensionFields { id, title, summary, authors } = std::mem::take(&mut self.extension);
        self.id = self.id.take().or(id);
        self.title = self.title.take().or(title);
        self.summary = self.summary.take().or(summary);
        if self.authors.is_empty() {
            self.authors = authors;
        }
    }
}

impl Person {
    /// Parses `name (address)`, `address (name)`, `name <address>` and similar forms.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = super::text::one_line(text);
        if text.is_empty() {
            return None;
        }
        let is_edge =
            |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>' | '[' | ']' | '"' | ',');
        let address = text
            .split(is_edge)
            .map(|word| word.trim_start_matches("mailto:"))
            .find(|word| word.find('@').is_some_and(|at| at > 0 && word[at..].contains('.')));
        let Some(address) = address.map(str::to_owned) else {
            return Some(Self { name: Some(text), email: None });
        };
        let rest = text.replace(&address, " ").replace("mailto:", " ");
        let name = super::text::one_line(rest.trim_matches(|c: char| is_edge(c)));
        let name = name.replace("()", "").replace("<>", "");
        let name = name.trim_matches(is_edge);
        Some(Self { name: (!name.is_empty()).then(|| name.to_owned()), email: Some(address) })
    }

    /// Display name: the name, or else the email address.
    pub(super) fn display_name(&self) -> Option<&str> {
        self.name.as_deref().or(self.email.as_deref())
    }
}
