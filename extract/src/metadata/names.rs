//! Author and publisher of a page.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{calendar, references::unescape, sources::Sources};
use crate::{
    clean,
    page::{Id, Page},
};

const MAX_AUTHOR_CHARS: usize = 120;

/// Parts of the class names of elements that contain the author.
static AUTHOR_CLASSES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let marks = [
        "byline", "author-name", "author__name", "authorname", "post-author", "entry-author",
        "article-author", "article__author", "author_name",
    ];
    AhoCorasick::builder().ascii_case_insensitive(true).build(marks).ok()
});

/// Names of the authors, joined by `, `.
pub(super) fn author(sources: &Sources<'_>, publisher: Option<&str>) -> Option<String> {
    let linked: Vec<String> = sources.linked.authors.iter().flat_map(|name| people(name)).collect();
    let linked = unique(linked);
    if !linked.is_empty() && !is_publisher(&linked[0], publisher) {
        return Some(linked.join(", "));
    }
    let metas = [
        "author", "article:author", "citation_author", "dc.creator", "dcterms.creator", "dc:creator",
        "parsely-author", "sailthru.author", "byl", "twitter:creator_name", "cxenseparse:author",
    ];
    for name in metas {
        let names: Vec<String> =
            sources.meta.get(name).into_iter().flatten().flat_map(|value| people(value)).take(20).collect();
        if let Some(first) = names.first()
            && !is_publisher(first, publisher)
        {
            return Some(unique(names).join(", "));
        }
    }
    byline(sources.page)
        .or_else(|| author_near_heading(sources))
        .or_else(|| sources.first(&["twitter:creator"]).and_then(person))
        .or_else(|| linked.first().cloned())
}

/// Name of the site. The publisher in structured data is about this page, the names in the head about the
/// whole site.
pub(super) fn publisher(sources: &Sources<'_>) -> Option<String> {
    let meta = |names: &[&str]| sources.first(names).map(unescape).map(|name| clean::fold(&name));
    sources
        .linked
        .publisher
        .clone()
        .or_else(|| meta(&["og:site_name"]))
        .or_else(|| sources.linked.site.clone())
        .or_else(|| meta(&["citation_journal_title", "dc.publisher", "dc:publisher", "publisher"]))
        .filter(|name| !name.is_empty() && name.chars().count() <= 120)
}

fn is_publisher(name: &str, publisher: Option<&str>) -> bool {
    publisher.is_some_and(|publisher| publisher.eq_ignore_ascii_case(name))
}

fn unique(names: Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// Names in one value. Short names joined by an "and" are separate names; an abbreviation in brackets after a
/// name, or a credit in brackets after a comma, is dropped.
fn people(raw: &str) -> Vec<String> {
    let Some(all) = person(raw) else { return Vec::new() };
    let mut names = Vec::new();
    for part in all.split(", ").filter(|part| !part.starts_with('(')) {
        let is_short = |sign: &str| sign.chars().count() <= 4 && sign.chars().all(char::is_lowercase);
        let bare = part.strip_suffix(')').and_then(|part| part.rsplit_once(" ("));
        let part = bare.filter(|(_, sign)| is_short(sign)).map_or(part, |(name, _)| name);
        let mut several = vec![part];
        for joint in [" und ", " and ", " og ", " och ", " et ", " y ", " & "] {
            several = several.iter().flat_map(|names| names.split(joint)).collect();
        }
        if several.len() > 1 && several.iter().all(|name| is_short_name(name)) {
            names.extend(several.into_iter().map(str::to_owned));
        } else {
            names.push(part.to_owned());
        }
    }
    if names.is_empty() { vec![all] } else { names }
}

/// A name without the surrounding words; `None` if it is not a name.
fn person(raw: &str) -> Option<String> {
    let mut name = clean::fold(&unescape(raw));
    for prefix in [
        "by ", "By ", "BY ", "von ", "Von ", "par ", "Par ", "por ", "Por ", "di ", "Di ", "written by ",
        "Written by ", "Posted by ",
    ] {
        if let Some(rest) = name.strip_prefix(prefix) {
            name = rest.to_owned();
        }
    }
    // Text after a separator or a date is not part of the name.
    for sign in [" » ", " | ", " • ", " · ", " – ", " — ", " on ", " am ", "\n"] {
        if let Some((first, _)) = name.split_once(sign) {
            name = first.to_owned();
        }
    }
    cut_date(&mut name);
    let name = name.trim_matches([' ', ',', '|', '•', '·', ':', '-', '–', '—']).to_owned();
    let lower = name.to_lowercase();
    let useless = lower.is_empty()
        || lower.starts_with("http")
        || lower.starts_with('@')
        || lower.contains("://")
        || lower.starts_with("www.")
        || matches!(
            lower.as_str(),
            "admin"
                | "administrator"
                | "author"
                | "editor"
                | "staff"
                | "webmaster"
                | "null"
                | "undefined"
                | "guest"
                | "unknown"
                | "anonymous"
                | "root"
                | "user"
        );
    (!useless && name.chars().count() <= MAX_AUTHOR_CHARS && name.chars().any(char::is_alphabetic))
        .then_some(name)
}

/// Cuts off a date after the name.
fn cut_date(name: &mut String) {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    let first = name.find(|c: char| c.is_ascii_digit());
    let Some(at) = first.filter(|&at| at > 4 && name[..at].contains(' ') && digits(&name[at..]) >= 3) else {
        return;
    };
    name.truncate(name[..at].rfind(' ').unwrap_or(at));
    // The month of `Ada Feb 1, 2026`.
    if let Some((before, last)) = name.rsplit_once(' ')
        && calendar::is_month(last.trim_matches(['.', ',']))
    {
        name.truncate(before.len());
    }
}

/// Author in the visible byline.
fn byline(page: &Page) -> Option<String> {
    let marked = |id: Id| {
        page.attribute(id, "rel").is_some_and(|rel| rel.split_ascii_whitespace().any(|one| one == "author"))
            || page
                .attribute(id, "itemprop")
                .is_some_and(|prop| prop.split_ascii_whitespace().any(|one| one == "author"))
    };
    let named = |id: Id| {
        page.attributes(id).filter(|(name, _)| matches!(*name, "class" | "id" | "data-testid")).any(
            |(_, value)| {
                AUTHOR_CLASSES.as_ref().is_some_and(|marks| marks.is_match(value))
                    || value.split_ascii_whitespace().any(|class| {
                        class.eq_ignore_ascii_case("author") || class.eq_ignore_ascii_case("p-author")
                    })
            },
        )
    };
    let tests: [&dyn Fn(Id) -> bool; 2] = [&marked, &named];
    for test in tests {
        let mut names = Vec::new();
        for id in
            (1..page.len()).filter(|&id| page.is_element(id) && !page.is(id, "meta") && !page.is(id, "body"))
        {
            if !test(id) {
                continue;
            }
            let inner = page.descendants(id).find(|&inner| page.attribute(inner, "itemprop") == Some("name"));
            let text = page.folded_text(inner.unwrap_or(id));
            if clean::words(&text) <= 8
                && let Some(name) = person(&text)
            {
                names.push(name);
            }
            if names.len() >= 2 {
                break;
            }
        }
        if let Some(first) = names.into_iter().next() {
            return Some(first);
        }
    }
    None
}

/// Author in `By Name`, in the lines after the heading. The name is often a link of its own.
fn author_near_heading(sources: &Sources<'_>) -> Option<String> {
    const WORDS: &[&str] = &[
        "by", "written by", "posted by", "author", "authors", "von", "text", "autor", "autorin", "par",
        "por", "di", "door", "av", "af", "автор", "yazan", "作者", "文",
    ];
    let page = sources.page;
    let heading = sources.main_heading?;
    let worded = |id: &Id| page.text(*id).is_some_and(|text| !text.trim().is_empty());
    let texts: Vec<&str> = (page.subtree(heading).end..page.len())
        .filter(worded)
        .take(16)
        .filter_map(|id| page.text(id))
        .map(str::trim)
        .collect();
    for (index, text) in texts.iter().enumerate() {
        let lower = text.to_lowercase();
        if WORDS.contains(&lower.trim_end_matches([':', ' '])) {
            let name = texts.get(index + 1).copied().and_then(person).filter(|name| is_short_name(name));
            if name.is_some() {
                return name;
            }
        }
        let rest = ["by ", "written by ", "posted by ", "von ", "par ", "por ", "author: ", "text: "]
            .iter()
            .find_map(|word| lower.starts_with(word).then(|| text.get(word.len()..)).flatten());
        if let Some(name) = rest.and_then(person).filter(|name| is_short_name(name)) {
            return Some(name);
        }
    }
    None
}

/// True for two to four words that begin like a name.
fn is_short_name(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    let capital = words.iter().filter(|word| word.starts_with(char::is_uppercase)).count();
    (2..=4).contains(&words.len())
        && capital + 1 >= words.len()
        && capital >= 2
        && !name
            .contains(|c: char| c.is_ascii_digit() || matches!(c, '.' | '!' | '?') && !name.contains(". "))
}
