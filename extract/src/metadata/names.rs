//! Authors and publishers.

use super::Sources;
use crate::{
    clean,
    html::tree::{Id, Page},
};

const MAX_AUTHOR_CHARS: usize = 120;

/// Names joined by `, `.
pub(super) fn author(sources: &Sources<'_>, publisher: Option<&str>) -> Option<String> {
    let linked: Vec<String> = sources.linked.authors.iter().filter_map(|name| person(name)).collect();
    if !linked.is_empty() && !is_publisher(&linked[0], publisher) {
        return Some(linked.join(", "));
    }
    let metas = [
        "author",
        "article:author",
        "citation_author",
        "dc.creator",
        "dcterms.creator",
        "dc:creator",
        "parsely-author",
        "sailthru.author",
        "byl",
        "twitter:creator_name",
        "cxenseparse:author",
    ];
    for name in metas {
        let found: Vec<String> =
            sources.meta.get(name).into_iter().flatten().filter_map(|value| person(value)).take(20).collect();
        if let Some(first) = found.first()
            && !is_publisher(first, publisher)
        {
            return Some(unique(found).join(", "));
        }
    }
    byline(sources.page).or_else(|| linked.first().cloned())
}

/// The site's name.
pub(super) fn publisher(sources: &Sources<'_>) -> Option<String> {
    let named = sources.first(&["og:site_name"]).map(unescape).map(|name| clean::fold(&name));
    named
        .or_else(|| sources.linked.publisher.clone())
        .or_else(|| {
            sources
                .first(&[
                    "application-name",
                    "citation_journal_title",
                    "dc.publisher",
                    "dc:publisher",
                    "publisher",
                ])
                .map(clean::fold)
        })
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

/// A name without the words round it; nothing when it is no name.
fn person(raw: &str) -> Option<String> {
    let mut name = clean::fold(&unescape(raw));
    for prefix in [
        "by ",
        "By ",
        "BY ",
        "von ",
        "Von ",
        "par ",
        "Par ",
        "por ",
        "Por ",
        "di ",
        "Di ",
        "written by ",
        "Written by ",
        "Posted by ",
    ] {
        if let Some(rest) = name.strip_prefix(prefix) {
            name = rest.to_owned();
        }
    }
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

/// The visible line that names the author.
fn byline(page: &Page) -> Option<String> {
    let marked = |id: Id| {
        page.attribute(id, "rel").is_some_and(|rel| rel.split_ascii_whitespace().any(|one| one == "author"))
            || page
                .attribute(id, "itemprop")
                .is_some_and(|prop| prop.split_ascii_whitespace().any(|one| one == "author"))
    };
    let named = |id: Id| {
        ["class", "id", "data-testid"].iter().any(|attribute| {
            page.attribute(id, attribute).is_some_and(|value| {
                let value = value.to_ascii_lowercase();
                [
                    "byline",
                    "author-name",
                    "author__name",
                    "authorname",
                    "post-author",
                    "entry-author",
                    "article-author",
                    "article__author",
                    "author_name",
                ]
                .iter()
                .any(|mark| value.contains(mark))
                    || value.split_ascii_whitespace().any(|class| class == "author" || class == "p-author")
            })
        })
    };
    let tests: [&dyn Fn(Id) -> bool; 2] = [&marked, &named];
    for test in tests {
        let mut found = Vec::new();
        for id in
            (1..page.len()).filter(|&id| page.is_element(id) && !page.is(id, "meta") && !page.is(id, "body"))
        {
            if !test(id) {
                continue;
            }
            let inner = page.inside(id).find(|&inner| page.attribute(inner, "itemprop") == Some("name"));
            let text = page.folded_text(inner.unwrap_or(id));
            if clean::words(&text) <= 8
                && let Some(name) = person(&text)
            {
                found.push(name);
            }
            if found.len() >= 2 {
                break;
            }
        }
        if let Some(first) = found.into_iter().next() {
            return Some(first);
        }
    }
    None
}

/// The character references that turn up inside attributes and JSON, undone once more.
pub(super) fn unescape(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        let known =
            tail.get(..tail.len().min(12)).or(Some(tail)).and_then(|head| head.find(';')).and_then(|end| {
                let c = reference(&tail[1..end])?;
                Some((c, end + 1))
            });
        match known {
            Some((c, used)) => {
                out.push(c);
                rest = &tail[used..];
            }
            None => {
                out.push('&');
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn reference(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "ndash" => '–',
        "mdash" => '—',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "hellip" => '…',
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)?
        }
    })
}
