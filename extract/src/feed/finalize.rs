//! Converts a parsed feed to the result: resolves URLs and times, assigns identities, and sanitises texts.
//! Only new and changed entries are sanitised, because sanitising is most of the work.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use url::Url;

use super::builder::{Person, RawEntry, RawFeed, RawLink, RichText};
use super::categories::Categories;
use super::episode::{self, Episode, EpisodePerson};
use crate::noise;

use super::identity::{self, EntryMatch, Marks, Trust};
use super::order;
use super::sanitise::{MAX_MARKUP_BYTES, Sanitiser};
use super::selection::{self, EntryTreatment};
use super::{
    Enclosure, EntryState, FeedInput, FeedKind, OlderEntry, ParsedEntry, ParsedFeed, enclosures, pictures,
    text, urls,
};

/// Maximum number of entries in a document that are compared with the known entries. The oldest entries are
/// omitted.
const MAX_COMPARED: usize = 20_000;
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

pub(super) fn finalize(mut raw: RawFeed, base: Option<&str>, input: &FeedInput) -> ParsedFeed {
    let entry_count = raw.entries.len();
    let drafts: Vec<EntryDraft> = newest(std::mem::take(&mut raw.entries)).into_iter().map(draft).collect();
    let marks: Vec<Marks> = drafts.iter().map(|draft| draft.marks).collect();
    let (verdicts, trust) = identity::assign(&input.known, input.trust, &marks);
    let times: Vec<Option<i64>> = drafts.iter().map(|draft| time(&draft.raw)).collect();
    let order = order::newest_first(&times, &verdicts);
    let states: Vec<Option<EntryState>> =
        marks.iter().zip(verdicts).map(|(marks, verdict)| state(marks, verdict, input)).collect();
    let selected = selection::select(&order, &states, input);
    let site_url = main_link(&raw.links, raw.kind == FeedKind::Atom).and_then(|link| urls::readable(&link));
    let is_rss = matches!(raw.kind, FeedKind::Rss | FeedKind::Rdf);
    let mut cleaner = Cleaner {
        current: Sanitiser::new(base.or(site_url.as_deref())),
        rss_base: base.filter(|_| is_rss),
        feed_authors: std::mem::take(&mut raw.authors),
        feed_persons: episode::cleaned_persons(std::mem::take(&mut raw.persons)),
        feed_explicit: raw.explicit,
        fixed_through: input.fixed_through,
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
        dropped: count(entry_count.saturating_sub(input.limits.entries)),
        postponed: count(selected.iter().filter(|part| **part == EntryTreatment::Postponed).count()),
        ..ParsedFeed::default()
    };
    let mut ranks = vec![0; drafts.len()];
    for (rank, at) in order.into_iter().enumerate() {
        ranks[at] = count(rank);
    }
    for (at, draft) in drafts.into_iter().enumerate() {
        let Some(state) = states[at] else { continue };
        let (marks, key) = (draft.marks, identity::key(&draft.marks, trust));
        match selected[at] {
            EntryTreatment::Entry => {
                feed.entries.push(ParsedEntry { rank: ranks[at], ..cleaner.entry(draft, state, trust) });
            }
            EntryTreatment::Marks => feed.older.push(OlderEntry { state, key, marks }),
            EntryTreatment::Postponed | EntryTreatment::Omitted => {}
        }
    }
    feed
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// State of an entry. `None` if it is repeated in the document.
fn state(marks: &Marks, verdict: EntryMatch, input: &FeedInput) -> Option<EntryState> {
    Some(match verdict {
        EntryMatch::Repeated => return None,
        EntryMatch::New => EntryState::New,
        EntryMatch::Known(at) => {
            let old = &input.known[at];
            let is_fixed = (1..=input.fixed_through).contains(&old.id);
            match old.marks {
                _ if is_fixed => EntryState::Same { id: old.id },
                same if same == *marks => EntryState::Same { id: old.id },
                other if other.fingerprint == marks.fingerprint => EntryState::Remarked { id: old.id },
                _ => EntryState::Changed { id: old.id },
            }
        }
    })
}

/// Newest entries, at most [`MAX_COMPARED`], in document order.
fn newest(entries: Vec<RawEntry>) -> Vec<RawEntry> {
    if entries.len() <= MAX_COMPARED {
        return entries;
    }
    let times: Vec<Option<i64>> = entries.iter().map(time).collect();
    let mut is_newest = vec![false; entries.len()];
    for at in order::newest_first(&times, &[]).into_iter().take(MAX_COMPARED) {
        is_newest[at] = true;
    }
    entries.into_iter().zip(is_newest).filter_map(|(entry, is_newest)| is_newest.then_some(entry)).collect()
}

/// Time that is used to order and recognise an entry.
fn time(raw: &RawEntry) -> Option<i64> {
    raw.published.or(raw.updated)
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
    let title_mark = match words.as_str() {
        "" if summary.is_empty() && content.is_empty() => 0,
        "" => identity::hash("body", &[&summary, &content]),
        words => identity::hash("title", &[words]),
    };
    let texts = [stable_text(raw.summary.as_ref()), stable_text(raw.content.as_ref())];
    let has_text = texts.iter().any(|text| !text.trim().is_empty());
    let guid = raw.id.as_deref().map_or(0, |id| identity::hash("guid", &[&urls::identity(id)]));
    Marks {
        guid,
        url: url.map_or(0, |url| identity::hash("url", &[&urls::identity(url)])),
        title: title_mark,
        published: time(raw).unwrap_or(0),
        text: if has_text { identity::hash("text", &[&texts[0], &texts[1]]) } else { 0 },
        fingerprint: identity::hash(
            "shown",
            &[&noise::denoise(title), &texts[0], &texts[1], &url.map(urls::identity).unwrap_or_default()],
        ),
    }
}

/// Visible text of an entry, without values of clocks and counters, which change on their own.
fn stable_text(rich: Option<&RichText>) -> String {
    let Some(rich) = rich else { return String::new() };
    let lines: Vec<String> =
        rich.plain().lines().map(|line| noise::denoise(&text::one_line(&text::clean(line)))).collect();
    lines.join("\n")
}

/// Main link of an entry: the last HTML alternate (or the first one in an Atom feed, as in most readers), or
/// else any alternate, or else the first link that is not an enclosure or reply.
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

/// Uses the guid as the link, unless the feed says that the guid is not a URL.
fn link_from_id(raw: &RawEntry) -> Option<String> {
    raw.id
        .clone()
        .filter(|id| !raw.id_is_not_url && (id.starts_with("http://") || id.starts_with("https://")))
}

fn title_line(title: Option<&RichText>) -> Option<String> {
    title.map(|title| clean_line(title, MAX_TITLE)).filter(|line| !line.is_empty())
}

/// Plain text on one line, cut to `limit` characters.
fn clean_line(rich: &RichText, limit: usize) -> String {
    text::cut(&text::one_line(&text::clean(&rich.plain())), limit)
}

struct Cleaner<'a> {
    current: Sanitiser,
    /// Base URL of an RSS feed. `None` for other formats. In RSS, relative URLs in a text refer to the page
    /// of the entry.
    rss_base: Option<&'a str>,
    /// Authors for entries that have no author.
    feed_authors: Vec<Person>,
    /// Persons for episodes that name no persons.
    feed_persons: Vec<EpisodePerson>,
    /// Explicit flag for episodes that do not declare it.
    feed_explicit: Option<bool>,
    /// See [`FeedInput::fixed_through`].
    fixed_through: i64,
}

impl Cleaner<'_> {
    fn entry(&mut self, draft: EntryDraft, state: EntryState, trust: Trust) -> ParsedEntry {
        let EntryDraft { mut raw, title, url, marks } = draft;
        let is_fixed = matches!(state, EntryState::Same { id } if (1..=self.fixed_through).contains(&id));
        let episode = std::mem::take(&mut raw.episode);
        let episode = if is_fixed { None } else { self.episode(episode, &raw.links) };
        let categories = if is_fixed { Categories::default() } else { Categories::cleaned(&raw.categories) };
        let mut entry = ParsedEntry {
            state,
            key: identity::key(&marks, trust),
            marks,
            id: raw.id.clone().or_else(|| url.clone()).unwrap_or_else(|| format!("{:016x}", marks.title)),
            title: (!title.is_empty()).then_some(title),
            published: raw.published,
            updated: raw.updated.or(raw.created),
            episode,
            categories,
            ..ParsedEntry::default()
        };
        entry.url = url;
        if !is_fixed {
            entry.enclosures = enclosures::enclosures(&raw.links);
        }
        if matches!(state, EntryState::Same { .. }) {
            return entry;
        }
        entry.links = raw.links.iter().filter_map(|link| urls::readable(&link.href)).take(50).collect();
        entry.links.dedup();
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

    /// Podcast data of an entry, completed with the data that the feed declares for all episodes.
    fn episode(&self, own: Episode, links: &[RawLink]) -> Option<Episode> {
        let mut episode = own.cleaned();
        if enclosures::enclosures(links).first().is_some_and(Enclosure::is_played) {
            if episode.persons.is_empty() {
                episode.persons.clone_from(&self.feed_persons);
            }
            episode.explicit = episode.explicit.or(self.feed_explicit);
        }
        let episode = episode.bounded();
        (episode != Episode::default()).then_some(episode)
    }

    fn markup(&mut self, rich: &RichText, page: Option<&str>) -> String {
        if !rich.is_html() {
            let clean = text::clean(rich.value.trim());
            return with_line_breaks(text::escape(&text::cut(&clean, MAX_MARKUP_BYTES)).into_owned());
        }
        let is_unstated = self.rss_base.is_some() && rich.base.as_deref() == self.rss_base;
        let page = page.filter(|_| is_unstated && urls::has_relative(&rich.value));
        let base = page.or(rich.base.as_deref());
        if base.is_some() && base != self.current.base() {
            self.current = Sanitiser::new(base);
        }
        with_line_breaks(self.current.clean(&rich.value))
    }
}

/// Marks the line breaks of markup without tags, such as a post of a social network. An indented line
/// continues the line before it, as in pretty-printed XML.
fn with_line_breaks(markup: String) -> String {
    if markup.contains('<') || !markup.contains('\n') {
        return markup;
    }
    let mut out = String::with_capacity(markup.len());
    let mut blank_lines = 0;
    for line in markup.lines() {
        let is_continued = line.starts_with([' ', '\t']);
        let line = line.trim();
        if line.is_empty() {
            blank_lines += 1;
            continue;
        }
        if !out.is_empty() {
            out.push_str(match (blank_lines, is_continued) {
                (0, true) => " ",
                (0, false) => "<br>",
                _ => "<br><br>",
            });
        }
        out.push_str(line);
        blank_lines = 0;
    }
    if out.len() > MAX_MARKUP_BYTES { markup } else { out }
}

fn author(authors: &[Person]) -> Option<String> {
    let mut names: Vec<Cow<'_, str>> = Vec::new();
    for name in authors.iter().filter_map(|person| person.display_name()).map(readable_name) {
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

/// Name of an author. Lemmy names authors by the URLs of their pages, whose last part is the name. The path
/// of a URL with a query is not a name.
fn readable_name(name: &str) -> Cow<'_, str> {
    let is_url = name.starts_with("https://") || name.starts_with("http://");
    let url = if is_url && !name.contains(char::is_whitespace) { Url::parse(name).ok() } else { None };
    let Some(url) = url.filter(|url| url.query().is_none()) else { return Cow::Borrowed(name) };
    let part = url.path_segments().and_then(|mut parts| parts.rfind(|part| !part.is_empty()));
    let part = part.map(|part| part.trim_start_matches('@')).filter(|part| !part.is_empty());
    let name = part.or(url.host_str()).unwrap_or(name);
    Cow::Owned(percent_decode_str(name).decode_utf8_lossy().into_owned())
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
