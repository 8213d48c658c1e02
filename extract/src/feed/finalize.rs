//! Converts a parsed feed to the result: resolves URLs and times, assigns identities, sanitises texts. Only
//! new and changed entries are sanitised, because that is most of the work.

use super::builder::{Person, RawEntry, RawFeed, RawLink, RichText};
use crate::noise;

use super::identity::{self, EntryMatch, KnownEntry, Marks, Trust};
use super::sanitise::Sanitiser;
use super::{EntryState, FeedKind, OlderEntry, ParsedEntry, ParsedFeed, enclosures, pictures, text, urls};

/// Maximum entries of one document. Older ones are dropped.
pub(super) const MAX_ENTRIES: usize = 500;
/// Maximum dropped entries that are reported with their marks.
const MAX_OLDER: usize = 1_500;
const MAX_TITLE: usize = 500;
const MAX_AUTHOR: usize = 300;
const MAX_SUMMARY: usize = 1000;
const MAX_DESCRIPTION: usize = 2000;

/// Entry while it is processed.
struct EntryDraft {
    raw: RawEntry,
    title: String,
    url: Option<String>,
    marks: Marks,
}

pub(super) fn finalize(
    mut raw: RawFeed,
    base: Option<&str>,
    trust: Trust,
    known: &[KnownEntry],
) -> ParsedFeed {
    let read = raw.entries.len();
    let (entries, older) = newest(std::mem::take(&mut raw.entries));
    let given = entries.len();
    let drafts: Vec<EntryDraft> =
        entries.into_iter().chain(older.into_iter().take(MAX_OLDER)).map(draft).collect();
    let marks: Vec<Marks> = drafts.iter().map(|draft| draft.marks).collect();
    let (verdicts, trust) = identity::assign(known, trust, &marks);
    let site_url = main_link(&raw.links, raw.kind == FeedKind::Atom).and_then(|link| urls::readable(&link));
    let is_rss = matches!(raw.kind, FeedKind::Rss | FeedKind::Rdf);
    let mut cleaner = Cleaner {
        current: Sanitiser::new(base.or(site_url.as_deref())),
        rss_base: base.filter(|_| is_rss),
        feed_authors: std::mem::take(&mut raw.authors),
    };
    let mut feed = ParsedFeed {
        kind: Some(raw.kind),
        title: title_line(raw.title.as_ref()),
        description: raw
            .description
            .as_ref()
            .map(|rich| clean_line(rich, MAX_DESCRIPTION))
            .filter(|text| !text.is_empty()),
        site_url,
        image_url: raw
            .image
            .as_deref()
            .and_then(|image| urls::join(base, image))
            .and_then(|url| urls::readable(&url)),
        language: raw.language.as_deref().map(|text| text::cut(&text::one_line(&text::clean(text)), 35)),
        updated: raw.updated,
        trust,
        dropped: u32::try_from(read.saturating_sub(given)).unwrap_or(u32::MAX),
        ..ParsedFeed::default()
    };
    for (at, (draft, verdict)) in drafts.into_iter().zip(verdicts).enumerate() {
        let state = match verdict {
            EntryMatch::Repeated => continue,
            EntryMatch::New => EntryState::New,
            EntryMatch::Known(at) if known[at].marks.fingerprint == draft.marks.fingerprint => {
                EntryState::Same { id: known[at].id }
            }
            EntryMatch::Known(at) => EntryState::Changed { id: known[at].id },
        };
        if at < given {
            feed.entries.push(cleaner.entry(draft, state, trust));
        } else {
            let marks = draft.marks;
            feed.older.push(OlderEntry { state, key: identity::key(&marks, trust), marks });
        }
    }
    feed
}

/// Splits off at most [`MAX_ENTRIES`] entries from the others: the newest if all have a date, else the first
/// ones.
fn newest(mut entries: Vec<RawEntry>) -> (Vec<RawEntry>, Vec<RawEntry>) {
    let mut older = Vec::new();
    if entries.len() > MAX_ENTRIES && entries.iter().all(|entry| entry.published.is_some()) {
        let mut times: Vec<i64> = entries.iter().filter_map(|entry| entry.published).collect();
        times.sort_unstable_by(|a, b| b.cmp(a));
        let oldest = times[MAX_ENTRIES - 1];
        let (newer, rest) =
            entries.into_iter().partition(|entry| entry.published.is_some_and(|time| time >= oldest));
        (entries, older) = (newer, rest);
    }
    let beyond = entries.split_off(entries.len().min(MAX_ENTRIES));
    older.splice(0..0, beyond);
    (entries, older)
}

fn draft(mut raw: RawEntry) -> EntryDraft {
    raw.id = raw.id.map(|id| text::clean(&id).trim().to_owned()).filter(|id| !id.is_empty());
    let title = title_line(raw.title.as_ref()).unwrap_or_default();
    let url =
        main_link(&raw.links, false).or_else(|| link_from_id(&raw)).and_then(|link| urls::readable(&link));
    let marks = marks(&raw, &title, url.as_deref());
    // The URL of a file often changes with every poll, so it does not identify the entry.
    let url = url.or_else(|| enclosures::first_url(&raw.links));
    EntryDraft { raw, title, url, marks }
}

fn marks(raw: &RawEntry, title: &str, url: Option<&str>) -> Marks {
    let value =
        |rich: &Option<RichText>| rich.as_ref().map(|rich| rich.value.trim().to_owned()).unwrap_or_default();
    let (summary, content) = (value(&raw.summary), value(&raw.content));
    let words = title.to_lowercase();
    let title_mark = if words.is_empty() {
        identity::hash("body", &[&summary, &content])
    } else {
        identity::hash("title", &[&words])
    };
    let guid = raw.id.as_deref().map_or(0, |id| identity::hash("guid", &[&urls::identity(id)]));
    Marks {
        guid,
        url: url.map_or(0, |url| identity::hash("url", &[&urls::identity(url)])),
        title: title_mark,
        published: raw.published.or(raw.updated).unwrap_or(0),
        fingerprint: identity::hash(
            "shown",
            &[
                &noise::denoise(title),
                &stable_text(raw.summary.as_ref()),
                &stable_text(raw.content.as_ref()),
                &url.map(urls::identity).unwrap_or_default(),
            ],
        ),
    }
}

/// Visible text of an entry without the parts that clocks and counters change.
fn stable_text(rich: Option<&RichText>) -> String {
    let Some(rich) = rich else { return String::new() };
    let lines: Vec<String> =
        rich.plain().lines().map(|line| noise::denoise(&text::one_line(&text::clean(line)))).collect();
    lines.join("\n")
}

/// Main link of an entry: the last HTML alternate (as most readers choose, the first in an Atom feed), else
/// any alternate, else the first link that is not an enclosure or reply.
fn main_link(links: &[RawLink], first: bool) -> Option<String> {
    let is_alternate =
        |link: &&RawLink| link.rel.as_deref().is_none_or(|rel| rel.eq_ignore_ascii_case("alternate"));
    let is_page = |link: &&RawLink| {
        link.media_type.as_deref().is_none_or(|kind| kind.starts_with("text/html") || kind.contains("xhtml"))
    };
    let mut pages = links.iter().filter(is_alternate).filter(is_page);
    let page = if first { pages.next() } else { pages.next_back() };
    page.or_else(|| links.iter().find(is_alternate))
        .or_else(|| {
            let others = ["enclosure", "replies", "self", "hub", "edit", "next", "prev", "first", "last"];
            links.iter().find(|link| link.rel.as_deref().is_none_or(|rel| !others.contains(&rel)))
        })
        .map(|link| link.href.clone())
}

/// The guid is a URL unless the feed says otherwise.
fn link_from_id(raw: &RawEntry) -> Option<String> {
    raw.id
        .clone()
        .filter(|id| !raw.id_is_not_url && (id.starts_with("http://") || id.starts_with("https://")))
}

fn title_line(title: Option<&RichText>) -> Option<String> {
    title.map(|title| clean_line(title, MAX_TITLE)).filter(|line| !line.is_empty())
}

/// Text as one clean line.
fn clean_line(rich: &RichText, limit: usize) -> String {
    text::cut(&text::one_line(&text::clean(&rich.plain())), limit)
}

struct Cleaner<'a> {
    current: Sanitiser,
    /// Base of an RSS feed, in which relative URLs of a text refer to the page of the entry.
    rss_base: Option<&'a str>,
    /// Authors of entries without an author of their own.
    feed_authors: Vec<Person>,
}

impl Cleaner<'_> {
    fn entry(&mut self, draft: EntryDraft, state: EntryState, trust: Trust) -> ParsedEntry {
        let EntryDraft { raw, title, url, marks } = draft;
        let mut entry = ParsedEntry {
            state,
            key: identity::key(&marks, trust),
            marks,
            id: raw.id.clone().or_else(|| url.clone()).unwrap_or_else(|| format!("{:016x}", marks.title)),
            title: (!title.is_empty()).then_some(title),
            published: raw.published,
            updated: raw.updated.or(raw.created),
            ..ParsedEntry::default()
        };
        entry.url = url;
        if matches!(state, EntryState::Same { .. }) {
            return entry;
        }
        entry.links = raw.links.iter().filter_map(|link| urls::readable(&link.href)).take(50).collect();
        entry.links.dedup();
        entry.enclosures = enclosures::enclosures(&raw.links);
        entry.author = [&raw.authors, &raw.source_authors, &self.feed_authors]
            .into_iter()
            .find_map(|authors| author(authors));
        let page = entry.url.as_deref();
        entry.summary_html =
            raw.summary.as_ref().map(|rich| self.markup(rich, page)).filter(|html| !html.is_empty());
        entry.content_html =
            raw.content.as_ref().map(|rich| self.markup(rich, page)).filter(|html| !html.is_empty());
        if entry.title.is_none() {
            pictures::append(&mut entry, &raw.pictures);
        }
        let first = raw.summary.as_ref().or(raw.content.as_ref());
        entry.summary = first.map(|rich| clean_line(rich, MAX_SUMMARY)).filter(|line| !line.is_empty());
        entry.image_url = raw.images.iter().find_map(|image| urls::readable(image)).or_else(|| {
            [&entry.content_html, &entry.summary_html]
                .into_iter()
                .flatten()
                .find_map(|html| first_image(html))
        });
        entry
    }

    fn markup(&mut self, rich: &RichText, page: Option<&str>) -> String {
        if !rich.is_html() {
            let clean = text::clean(rich.value.trim());
            return text::escape(&text::cut(&clean, super::sanitise::MAX_MARKUP_BYTES)).into_owned();
        }
        let is_unstated = self.rss_base.is_some() && rich.base.as_deref() == self.rss_base;
        let page = page.filter(|_| is_unstated && urls::has_relative(&rich.value));
        let base = page.or(rich.base.as_deref());
        if base.is_some() && base != self.current.base() {
            self.current = Sanitiser::new(base);
        }
        self.current.clean(&rich.value)
    }
}

fn author(authors: &[Person]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for name in authors.iter().filter_map(|person| person.display_name()) {
        if !names.contains(&name) && names.len() < 10 {
            names.push(name);
        }
    }
    let names = names.join(", ");
    // Some feeds write a link instead of names.
    let names =
        if text::looks_like_html(&names) { text::plain(&names).into() } else { text::unescape(&names) };
    let line = text::cut(&text::one_line(&text::clean(&names)), MAX_AUTHOR);
    (!line.is_empty()).then_some(line)
}

/// First image of sanitised markup that is not a tracking pixel.
fn first_image(html: &str) -> Option<String> {
    let mut rest = html;
    for _ in 0..10 {
        rest = &rest[rest.find("<img ")? + 5..];
        let tag = &rest[..rest.find('>')?];
        let attributes = super::tokens::attributes(tag);
        let value = |name: &str| attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        let tiny = ["width", "height"].iter().any(|side| matches!(value(side), Some("0" | "1")));
        if let Some(source) = value("src").filter(|_| !tiny) {
            return urls::readable(&text::unescape(source));
        }
    }
    None
}
