//! Tolerant parser for text that a strict parser rejects or only partly understands. It does not build a
//! document tree. It reads tokens, begins an entry at each start tag of an entry, and captures each field up
//! to its end tag, or up to a token that shows that the end tag is missing.

use std::collections::VecDeque;

use super::FeedKind;
use super::builder::{AttachedPicture, Person, RawEntry, RawFeed, RawLink, TextKind};
use super::dates::{self, DateOrder};
use super::episode::{EpisodePerson, TranscriptFile};
use super::field::{Captured, is_field, is_void};
use super::fields::CapturedField;
use super::names::{self, Namespaces, Vocabulary};
use super::tokens::{MarkupToken, MarkupTokens, attributes};
use super::{categories, enclosures, text, urls};

/// Maximum number of entries that are read.
const MAX_ENTRIES_READ: usize = 20_000;
/// Maximum number of open elements that are tracked inside a field.
const MAX_OPEN: usize = 256;
/// Maximum width and height of a thumbnail that is a portrait of the author, not a picture of the entry.
const MAX_PORTRAIT_PIXELS: u32 = 64;

/// Parses `source`. `None` if it contains neither the root element of a feed nor an entry.
pub(super) fn read(source: &str, base: Option<&str>, date_order: DateOrder) -> Option<RawFeed> {
    let mut reader = TolerantReader {
        tokens: MarkupTokens::new(source),
        pushed_back: VecDeque::new(),
        names: Namespaces::new(),
        feed: RawFeed::new(FeedKind::Rss),
        entry: None,
        base: base.map(str::to_owned),
        entry_base: None,
        date_order,
        has_root: false,
        atom: false,
        open_media: None,
        has_open_extension: false,
    };
    reader.run();
    reader.close_entry();
    (reader.has_root || !reader.feed.entries.is_empty()).then_some(reader.feed)
}

struct TolerantReader<'a> {
    tokens: MarkupTokens<'a>,
    pushed_back: VecDeque<MarkupToken<'a>>,
    names: Namespaces,
    feed: RawFeed,
    entry: Option<RawEntry>,
    base: Option<String>,
    entry_base: Option<String>,
    date_order: DateOrder,
    has_root: bool,
    atom: bool,
    /// Open `media:content`. Titles and descriptions inside it belong to the file.
    open_media: Option<OpenMedia>,
    /// True if the end tag of an unknown element in the current entry is missing.
    has_open_extension: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenMedia {
    /// The last picture of the entry.
    Picture,
    /// Audio or video. If an entry has no title, the title of the file is used.
    Played,
    Other,
}

/// Children of `<image>` and `<textInput>`.
const IMAGE_PARTS: &[&str] = &["url", "title", "link", "description", "width", "height", "name", "href"];

/// Parsed start tag.
struct XmlStartTag<'a> {
    name: &'a str,
    vocabulary: Vocabulary,
    local: String,
    attributes: Vec<(&'a str, &'a str)>,
    empty: bool,
}

impl XmlStartTag<'_> {
    fn attribute(&self, name: &str) -> Option<String> {
        let matching = self.attributes.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        matching.map(|(_, value)| text::unescape(value).trim().to_owned())
    }
}

impl<'a> TolerantReader<'a> {
    fn next(&mut self, field: Option<&str>) -> Option<MarkupToken<'a>> {
        self.pushed_back.pop_front().or_else(|| self.tokens.next(field))
    }

    fn run(&mut self) {
        while let Some(token) = self.next(None) {
            match token {
                MarkupToken::Start { name, attributes: raw, empty, .. } => {
                    let tag = self.tag(name, raw, empty);
                    self.start(&tag);
                }
                MarkupToken::End { name, .. } => {
                    let (vocabulary, local) = self.names.resolve(name);
                    match (vocabulary, local.as_str()) {
                        (Vocabulary::Core, "item" | "entry") => self.close_entry(),
                        (Vocabulary::Media, "content") => self.open_media = None,
                        _ => {}
                    }
                }
                MarkupToken::Text(_) | MarkupToken::Cdata(_) => {}
            }
            if self.feed.entries.len() >= MAX_ENTRIES_READ {
                return;
            }
        }
    }

    fn tag(&mut self, name: &'a str, raw: &'a str, empty: bool) -> XmlStartTag<'a> {
        let attributes = attributes(raw);
        let (vocabulary, local) = self.names.declare(name, &attributes);
        XmlStartTag { name, vocabulary, local, attributes, empty }
    }

    fn start(&mut self, tag: &XmlStartTag<'a>) {
        if tag.vocabulary == Vocabulary::Core && self.structure(tag) {
            return;
        }
        match (tag.vocabulary, tag.local.as_str()) {
            (Vocabulary::Media, "thumbnail") => {
                let is_of_author = self.entry.is_some() && is_portrait(tag);
                if let Some(url) = tag.attribute("url").filter(|_| !is_of_author) {
                    self.image(&url);
                }
            }
            (Vocabulary::Media, "content") => self.media_content(tag),
            (Vocabulary::Media, "credit") => self.credit(tag),
            (Vocabulary::Itunes, "image") => {
                if let Some(href) = tag.attribute("href").or_else(|| tag.attribute("url")) {
                    self.image(&href);
                }
            }
            (Vocabulary::Core, "image" | "textinput") => self.image_element(tag),
            (Vocabulary::Core, "source") => self.source(tag),
            (Vocabulary::Itunes, "owner") => self.skip(tag),
            (Vocabulary::Core, "author" | "contributor" | "managingeditor" | "webmaster") => self.person(tag),
            (Vocabulary::Core, "link") => self.link(tag),
            (Vocabulary::Core, "enclosure") => self.enclosure(tag),
            (Vocabulary::Podcast, _) if self.has_root || self.entry.is_some() => self.podcast(tag),
            (Vocabulary::Other, _) if self.has_root || self.entry.is_some() => self.skip_extension(tag),
            _ if categories::is_category(tag.vocabulary, &tag.local) => self.category(tag),
            _ if is_field(tag.vocabulary, &tag.local) => self.field(tag),
            _ => {}
        }
    }

    /// Handles root, channel and entry elements. Returns false for other tags.
    fn structure(&mut self, tag: &XmlStartTag<'a>) -> bool {
        match tag.local.as_str() {
            "rss" | "rdf" | "feed" | "channel" => {
                self.has_root = true;
                if tag.local == "feed" {
                    self.atom = true;
                    self.feed.kind = FeedKind::Atom;
                } else if tag.local == "rdf" {
                    self.feed.kind = FeedKind::Rdf;
                }
                self.base = base_of(tag, self.base.clone());
                self.feed.language = self.feed.language.take().or_else(|| tag.attribute("xml:lang"));
                if let Some(href) = tag.attribute("href") {
                    self.feed.links.push(RawLink { href, ..RawLink::default() });
                }
            }
            "item" | "entry" => self.open_entry(tag),
            _ => return false,
        }
        true
    }

    fn open_entry(&mut self, tag: &XmlStartTag<'a>) {
        self.close_entry();
        if tag.local == "entry" && !self.has_root {
            self.atom = true;
            self.feed.kind = FeedKind::Atom;
        }
        self.entry_base = base_of(tag, self.base.clone());
        let mut entry = RawEntry { id: tag.attribute("rdf:about"), ..RawEntry::default() };
        if let Some(href) = tag.attribute("href") {
            entry.links.push(RawLink { href: self.absolute(&href), ..RawLink::default() });
        }
        entry.updated = tag.attribute("lastmod").and_then(|time| dates::millis(&time, self.date_order));
        self.entry = Some(entry);
        if tag.empty {
            self.close_entry();
        }
    }

    fn close_entry(&mut self) {
        if let Some(mut entry) = self.entry.take() {
            entry.apply_extension();
            self.feed.entries.push(entry);
        }
        self.entry_base = None;
        self.open_media = None;
        self.has_open_extension = false;
    }

    fn current_base(&self) -> Option<String> {
        self.entry_base.clone().or_else(|| self.base.clone())
    }

    fn absolute(&self, address: &str) -> String {
        urls::join(self.current_base().as_deref(), address).unwrap_or_else(|| address.trim().to_owned())
    }

    /// Reads a Media RSS file: a picture, or audio or video as an enclosure. Other files, such as web
    /// players, are ignored.
    fn media_content(&mut self, tag: &XmlStartTag<'a>) {
        let url = tag.attribute("url").filter(|url| !url.is_empty()).map(|url| self.absolute(&url));
        let declared =
            ["type", "medium"].iter().find_map(|name| tag.attribute(name).filter(|kind| !kind.is_empty()));
        let media_type = enclosures::media_type(declared.as_deref(), url.as_deref().unwrap_or_default());
        let kind = match media_type.split('/').next() {
            Some("image") => OpenMedia::Picture,
            Some("audio" | "video") => OpenMedia::Played,
            _ => OpenMedia::Other,
        };
        if !tag.empty {
            self.open_media = Some(kind);
        }
        let (Some(url), Some(entry)) = (url, &mut self.entry) else { return };
        match kind {
            OpenMedia::Picture => {
                entry.images.push(url.clone());
                entry.pictures.push(AttachedPicture { url, description: None });
            }
            OpenMedia::Played => {
                let rel = Some("enclosure".to_owned());
                let size_bytes = tag.attribute("fileSize").and_then(|size| size.parse().ok());
                entry.links.push(RawLink { href: url, rel, media_type: Some(media_type), size_bytes });
                entry.episode.set_duration(&tag.attribute("duration").unwrap_or_default());
            }
            OpenMedia::Other => {}
        }
    }

    /// Reads a credit of Media RSS. Vimeo names its authors only in this way.
    fn credit(&mut self, tag: &XmlStartTag<'a>) {
        if tag.empty {
            return;
        }
        let is_author = tag.attribute("role").as_deref() == Some("author");
        let name = self.capture(tag.name).plain();
        if let Some(entry) = self.entry.as_mut().filter(|_| is_author) {
            entry.extension.authors.extend(Person::parse(&name));
        }
    }

    /// Reads an element of Podcasting 2.0. Elements that do not apply to an entry are skipped. For example, a
    /// live broadcast has its own title and links.
    fn podcast(&mut self, tag: &XmlStartTag<'a>) {
        match tag.local.as_str() {
            "chapters" => {
                let url = self.address_of(tag, "url");
                if let Some(entry) = &mut self.entry {
                    entry.episode.chapters_url = entry.episode.chapters_url.take().or(url);
                }
            }
            "transcript" => {
                let url = self.address_of(tag, "url");
                if let (Some(url), Some(entry)) = (url, &mut self.entry) {
                    let media_type = tag.attribute("type").unwrap_or_default();
                    let language = tag.attribute("language");
                    entry.episode.transcripts.push(TranscriptFile { url, media_type, language });
                }
            }
            "person" | "season" | "episode" => self.podcast_text(tag),
            _ => self.skip_extension(tag),
        }
    }

    /// Reads a person, a season, or an episode number.
    fn podcast_text(&mut self, tag: &XmlStartTag<'a>) {
        let text = if tag.empty { String::new() } else { self.capture(tag.name).plain() };
        let attribute = |name: &str| tag.attribute(name).filter(|value| !value.is_empty());
        if tag.local == "person" {
            let role = attribute("role").unwrap_or_default();
            let (url, image_url) = (self.address_of(tag, "href"), self.address_of(tag, "img"));
            let person = EpisodePerson { name: text, role, url, image_url };
            match &mut self.entry {
                Some(entry) => entry.episode.persons.push(person),
                None => self.feed.persons.push(person),
            }
            return;
        }
        let Some(entry) = &mut self.entry else { return };
        if tag.local == "season" {
            entry.episode.set_season(&text, attribute("name"));
        } else {
            entry.episode.set_number(&text, attribute("display"));
        }
    }

    /// Absolute URL in an attribute, if it is not empty.
    fn address_of(&self, tag: &XmlStartTag<'_>, attribute_name: &str) -> Option<String> {
        tag.attribute(attribute_name).filter(|url| !url.is_empty()).map(|url| self.absolute(&url))
    }

    /// Skips an unknown element with its content, so that a title or link inside it is not used for the
    /// entry. If its end tag is missing, its content is read as if the element did not exist.
    fn skip_extension(&mut self, tag: &XmlStartTag<'a>) {
        if tag.empty || self.has_open_extension {
            return;
        }
        let mut skipped = VecDeque::new();
        let mut depth = 0_usize;
        while let Some(token) = self.next(Some(tag.name)) {
            skipped.push_back(token);
            match token {
                MarkupToken::Start { name, empty, .. } if name == tag.name => depth += usize::from(!empty),
                MarkupToken::End { name, .. } if name == tag.name && depth == 0 => return,
                MarkupToken::End { name, .. } if name == tag.name => depth -= 1,
                _ if self.is_structural(&token) => break,
                _ => {}
            }
        }
        // Each token of an entry is read at most twice.
        self.has_open_extension = true;
        skipped.append(&mut self.pushed_back);
        self.pushed_back = skipped;
    }

    /// Reads `<source>`: the feed from which an entry was copied.
    fn source(&mut self, tag: &XmlStartTag<'a>) {
        if tag.empty {
            return;
        }
        let captured = self.capture_within(tag.name, true);
        if let Some(entry) = &mut self.entry {
            entry.source_authors.extend(captured.authors());
        }
    }

    fn image(&mut self, address: &str) {
        let address = self.absolute(address);
        match &mut self.entry {
            Some(entry) => entry.images.push(address),
            None => self.feed.image = self.feed.image.take().or(Some(address)),
        }
    }

    /// Reads `<image>` and `<textInput>`. Their title and link do not belong to the feed.
    fn image_element(&mut self, tag: &XmlStartTag<'a>) {
        if tag.empty {
            return;
        }
        while let Some(token) = self.next(None) {
            match token {
                MarkupToken::Start { name, empty, .. } => {
                    let (vocabulary, local) = self.names.resolve(name);
                    if vocabulary != Vocabulary::Core {
                        continue;
                    }
                    if !IMAGE_PARTS.contains(&local.as_str()) {
                        self.pushed_back.push_front(token);
                        return;
                    }
                    let value = if empty { String::new() } else { self.capture(name).plain() };
                    if tag.local == "image" && local == "url" && !value.trim().is_empty() {
                        self.image(value.trim());
                    }
                }
                MarkupToken::End { name, .. } if self.names.resolve(name).1 == tag.local => return,
                MarkupToken::End { .. } if self.is_structural(&token) => {
                    self.pushed_back.push_front(token);
                    return;
                }
                MarkupToken::End { .. } | MarkupToken::Text(_) | MarkupToken::Cdata(_) => {}
            }
        }
    }

    fn skip(&mut self, tag: &XmlStartTag<'a>) {
        if !tag.empty {
            self.capture_within(tag.name, true);
        }
    }

    fn person(&mut self, tag: &XmlStartTag<'a>) {
        if tag.empty {
            return;
        }
        let captured = self.capture_within(tag.name, true);
        let part = |part_name: &str| captured.child(part_name).map(|value| text::one_line(&value));
        let author = match (part("name"), part("email")) {
            (None, None) => Person::parse(&captured.plain()),
            (name, email) => {
                let name = name.filter(|name| !name.is_empty());
                Some(Person { name, email }).filter(|person| person.display_name().is_some())
            }
        };
        if !matches!(tag.local.as_str(), "author" | "managingeditor") {
            return;
        }
        let Some(author) = author else { return };
        match &mut self.entry {
            Some(entry) => entry.authors.push(author),
            // The editor of a channel is not the author of its items.
            None if tag.local == "author" => self.feed.authors.push(author),
            None => {}
        }
    }

    fn link(&mut self, tag: &XmlStartTag<'a>) {
        let rel = tag.attribute("rel");
        let media_type = tag.attribute("type");
        let href = ["href", "url", "uri"].iter().find_map(|name| tag.attribute(name));
        let href = match href {
            Some(href) => {
                // Only a link with an `href` may have no end tag.
                if !tag.empty && self.atom {
                    self.capture(tag.name);
                }
                href
            }
            None if tag.empty => return,
            None => self.capture(tag.name).plain(),
        };
        let base = base_of(tag, self.current_base());
        let Some(href) = Some(href.trim()).filter(|href| !href.is_empty()) else { return };
        let href = urls::join(base.as_deref(), href).unwrap_or_else(|| href.to_owned());
        // In RSS, an Atom link only supplements the RSS link.
        let is_alternate = rel.as_deref().is_none_or(|rel| rel.eq_ignore_ascii_case("alternate"));
        let is_complement = !self.atom && tag.name.contains(':') && is_alternate;
        let rel = if is_complement { Some("related".to_owned()) } else { rel };
        let size_bytes = tag.attribute("length").and_then(|size| size.parse().ok());
        let link = RawLink { href, rel, media_type, size_bytes };
        match &mut self.entry {
            Some(entry) => entry.links.push(link),
            None => self.feed.links.push(link),
        }
    }

    fn enclosure(&mut self, tag: &XmlStartTag<'a>) {
        let href = ["url", "href", "uri"].iter().find_map(|name| tag.attribute(name));
        let Some(href) = href.filter(|href| !href.is_empty()) else { return };
        let href = self.absolute(&href);
        let media_type = tag.attribute("type");
        if let Some(entry) = &mut self.entry {
            if media_type.as_deref().is_some_and(|kind| kind.starts_with("image/")) {
                entry.images.push(href.clone());
            }
            let size_bytes = tag.attribute("length").and_then(|size| size.parse().ok());
            let rel = Some("enclosure".to_owned());
            entry.links.push(RawLink { href, rel, media_type, size_bytes });
        }
    }

    /// Reads an element that states categories. Categories of a channel do not apply to its items.
    fn category(&mut self, tag: &XmlStartTag<'a>) {
        let content = if tag.empty { String::new() } else { self.capture(tag.name).plain() };
        if let Some(entry) = &mut self.entry {
            categories::add_stated(&mut entry.categories, tag.vocabulary, &tag.attributes, &content);
        }
    }

    fn field(&mut self, tag: &XmlStartTag<'a>) {
        let captured = if tag.empty { Captured::default() } else { self.capture(tag.name) };
        let field = CapturedField {
            vocabulary: tag.vocabulary,
            local: &tag.local,
            kind: tag.attribute("type").unwrap_or_default(),
            mode: tag.attribute("mode").unwrap_or_default(),
            guid_is_not_url: tag
                .attribute("isPermaLink")
                .is_some_and(|value| value.eq_ignore_ascii_case("false")),
            base: base_of(tag, self.current_base()),
            date_order: self.date_order,
            plain: if self.atom { TextKind::Plain } else { TextKind::Guess },
            captured,
        };
        match &mut self.entry {
            Some(entry) if field.vocabulary == Vocabulary::Media => match self.open_media {
                Some(OpenMedia::Picture) if field.local == "description" => {
                    if let Some(picture) = entry.pictures.last_mut() {
                        picture.description = picture.description.take().or_else(|| field.line());
                    }
                }
                Some(OpenMedia::Picture | OpenMedia::Other) => {}
                Some(OpenMedia::Played) | None => field.apply_to_entry(entry),
            },
            Some(entry) => field.apply_to_entry(entry),
            None => field.apply_to_feed(&mut self.feed),
        }
    }

    /// Captures the content up to the end tag of `name`.
    fn capture(&mut self, name: &str) -> Captured {
        self.capture_within(name, false)
    }

    /// Captures content as [`capture`](Self::capture) does. If `nested` is true, elements that are otherwise
    /// fields belong to the content.
    fn capture_within(&mut self, name: &str, nested: bool) -> Captured {
        let mut captured = Captured::default();
        let mut open: Vec<&'a str> = Vec::new();
        while let Some(token) = self.next(Some(name)) {
            match token {
                MarkupToken::Text(text) => captured.text(text::unescape(text).into_owned()),
                MarkupToken::Cdata(text) => captured.text(text.to_owned()),
                MarkupToken::Start { name: inner, attributes: raw, empty, raw: written } => {
                    let closes_field = || self.closes_field(inner) && !is_head_link(inner, raw);
                    if self.is_structural(&token) || (!nested && open.is_empty() && closes_field()) {
                        self.pushed_back.push_front(token);
                        break;
                    }
                    if !empty && !is_void(inner) && open.len() < MAX_OPEN {
                        open.push(inner);
                    }
                    captured.tag(written, inner, Some(raw));
                }
                MarkupToken::End { name: inner, raw } => {
                    if self.is_structural(&token) {
                        self.pushed_back.push_front(token);
                        break;
                    }
                    let at = open.iter().rposition(|opened| *opened == inner);
                    match at {
                        Some(at) => open.truncate(at),
                        None if inner == name || !is_html(inner) => break,
                        // Ignore an end tag without a start tag.
                        None => continue,
                    }
                    captured.tag(raw, inner, None);
                }
            }
        }
        captured
    }

    /// True if this start tag inside a field shows that the end tag of the field is missing.
    fn closes_field(&self, name: &str) -> bool {
        let (vocabulary, local) = self.names.resolve(name);
        vocabulary != Vocabulary::Xhtml
            && !is_html(&local)
            && (is_field(vocabulary, &local) || matches!(local.as_str(), "link" | "enclosure" | "author"))
    }

    fn is_structural(&self, token: &MarkupToken<'_>) -> bool {
        let (MarkupToken::Start { name, .. } | MarkupToken::End { name, .. }) = token else { return false };
        let (vocabulary, local) = self.names.resolve(name);
        vocabulary == Vocabulary::Core && names::is_structural(&local)
    }
}

/// True for a thumbnail of the size of a portrait. GitHub attaches the portrait of the author to each entry.
fn is_portrait(tag: &XmlStartTag<'_>) -> bool {
    let side = |name: &str| tag.attribute(name).and_then(|side| side.parse::<u32>().ok());
    ["width", "height"].into_iter().all(|name| side(name).is_some_and(|pixels| pixels <= MAX_PORTRAIT_PIXELS))
}

/// True for a `link` element of a page's head, which is markup of the enclosing field.
fn is_head_link(name: &str, raw_attributes: &str) -> bool {
    const RELATIONS: [&str; 5] = ["stylesheet", "preload", "preconnect", "dns-prefetch", "icon"];
    let is_head_relation = |value: &str| RELATIONS.iter().any(|rel| rel.eq_ignore_ascii_case(value.trim()));
    name.eq_ignore_ascii_case("link")
        && attributes(raw_attributes)
            .iter()
            .any(|(key, value)| key.eq_ignore_ascii_case("rel") && is_head_relation(value))
}

/// Base URL inside an element: its `xml:base` resolved against the outer base.
fn base_of(tag: &XmlStartTag<'_>, outer: Option<String>) -> Option<String> {
    match tag.attribute("xml:base") {
        Some(own) => urls::join(outer.as_deref(), &own).or(outer),
        None => outer,
    }
}

fn is_html(name: &str) -> bool {
    text::is_html_name(name.rsplit(':').next().unwrap_or(name))
}
