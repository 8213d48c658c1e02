//! When a page was published and changed: structured data, meta elements, the address, marked elements, and last the
//! words near the heading.

use chrono::{DateTime, NaiveDate, NaiveDateTime};

use super::Sources;
use super::calendar::{self, Order};
use crate::html::tree::{Id, Page};

/// Longest text that is a date with the words round it.
const MAX_DATE_TEXT: usize = 120;
/// How many texts before and after the heading are looked at.
const NEAR_HEADING: (usize, usize) = (6, 14);

/// The date of publication.
pub(super) fn published(sources: &Sources<'_>) -> Option<String> {
    let from_address = sources.address.and_then(|url| in_path(url.path()));
    let meta = sources.first(&[
        "article:published_time",
        "og:article:published_time",
        "og:published_time",
        "datepublished",
        "article:published",
        "rnews:datepublished",
        "parsely-pub-date",
        "sailthru.date",
        "dc.date.issued",
        "dcterms.issued",
        "dcterms.created",
        "dc.date.created",
        "dc.date",
        "dc:date",
        "dcterms.date",
        "citation_publication_date",
        "citation_online_date",
        "citation_date",
        "pubdate",
        "publishdate",
        "publish-date",
        "publish_date",
        "publication_date",
        "published_date",
        "originalpublicationdate",
        "date",
        "displaydate",
        "created",
        "article_date_original",
        "article.created",
        "cxenseparse:recs:publishtime",
        "video:release_date",
    ]);
    let stated = sources
        .linked
        .published
        .as_deref()
        .into_iter()
        .chain(meta)
        .chain(named_alike(sources))
        .find_map(normal);
    stated
        .or_else(|| from_address.map(bare))
        .or_else(|| marked(sources, Wanted::Published))
        .or_else(|| near_heading(sources))
        .or_else(|| announced(sources))
        .or_else(|| anywhere(sources))
        .or_else(|| marked(sources, Wanted::Any))
        .or_else(|| sources.linked.modified.as_deref().and_then(normal))
        .or_else(|| sources.first(&MODIFIED).and_then(normal))
}

/// Meta elements whose own name says the same in another spelling.
fn named_alike<'p>(sources: &Sources<'p>) -> Option<&'p str> {
    let mut names: Vec<&String> =
        sources.meta.keys().filter(|name| name.contains("publi") && !name.contains("publisher")).collect();
    names.sort_unstable();
    names
        .into_iter()
        .filter_map(|name| sources.meta.get(name)?.first().copied())
        .find(|value| normal(value).is_some())
}

const MODIFIED: [&str; 7] = [
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "revised",
];

/// The date of the last change.
pub(super) fn modified(sources: &Sources<'_>) -> Option<String> {
    let meta = sources.first(&MODIFIED);
    sources.linked.modified.as_deref().into_iter().chain(meta).find_map(normal)
}

/// RFC 3339 as it stands, or a bare date; nothing for an implausible one.
pub(crate) fn normal(raw: &str) -> Option<String> {
    let raw = raw.trim();
    if let Ok(time) = DateTime::parse_from_rfc3339(raw) {
        return is_plausible(time.date_naive()).then(|| raw.to_owned());
    }
    for form in
        ["%Y-%m-%dT%H:%M:%S%.f%z", "%Y-%m-%d %H:%M:%S%.f%z", "%Y-%m-%d %H:%M:%S %z", "%Y-%m-%dT%H:%M%z"]
    {
        if let Ok(time) = DateTime::parse_from_str(raw, form) {
            return is_plausible(time.date_naive()).then(|| time.to_rfc3339());
        }
    }
    if let Ok(time) = DateTime::parse_from_rfc2822(raw) {
        return is_plausible(time.date_naive()).then(|| time.to_rfc3339());
    }
    if let Ok(day) = NaiveDate::parse_from_str(raw, "%Y%m%d") {
        return is_plausible(day).then(|| bare(day));
    }
    for form in ["%Y%m%d%H%M%S", "%Y%m%dT%H%M%S"] {
        if let Ok(time) = NaiveDateTime::parse_from_str(raw, form) {
            return is_plausible(time.date()).then(|| bare(time.date()));
        }
    }
    let start: String = raw.chars().take(60).collect();
    calendar::first(&start, Order::MonthFirst).map(bare)
}

fn is_plausible(day: NaiveDate) -> bool {
    use chrono::Datelike;
    u32::try_from(day.year()).is_ok_and(|year| calendar::date(year, day.month(), day.day()).is_some())
}

fn bare(day: NaiveDate) -> String {
    day.format("%Y-%m-%d").to_string()
}

/// `/2026/01/12/`, `/2026-01-12-title`, `/20260112/`.
fn in_path(path: &str) -> Option<NaiveDate> {
    let runs: Vec<(&str, usize)> = digit_runs(path);
    for (index, &(run, at)) in runs.iter().enumerate() {
        match run.len() {
            8 => {
                let found =
                    calendar::date(run[..4].parse().ok()?, run[4..6].parse().ok()?, run[6..].parse().ok()?);
                if found.is_some() {
                    return found;
                }
            }
            4 => {
                let (Some(&(month, month_at)), Some(&(day, day_at))) =
                    (runs.get(index + 1), runs.get(index + 2))
                else {
                    continue;
                };
                let joined = month_at == at + 5 && day_at == month_at + month.len() + 1;
                let signs = [path.as_bytes().get(at + 4), path.as_bytes().get(day_at.wrapping_sub(1))];
                let parted = signs[0] == signs[1] && matches!(signs[0], Some(b'/' | b'-' | b'_' | b'.'));
                if joined && parted && month.len() <= 2 && day.len() <= 2 {
                    let found = calendar::date(run.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
                    if found.is_some() {
                        return found;
                    }
                }
            }
            _ => {}
        }
    }
    None
}

fn digit_runs(text: &str) -> Vec<(&str, usize)> {
    let mut runs = Vec::new();
    let mut at = 0;
    for piece in text.split_inclusive(|c: char| !c.is_ascii_digit()) {
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            runs.push((&piece[..digits], at));
        }
        at += piece.len();
    }
    runs
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Published,
    Any,
}

/// Elements that say that they hold a date.
fn marked(sources: &Sources<'_>, wanted: Wanted) -> Option<String> {
    let page = sources.page;
    let after = sources.main_heading.filter(|_| wanted == Wanted::Any);
    let order = sources.order();
    let mut fallback = None;
    for id in (1..page.len()).filter(|&id| page.is_element(id)) {
        let Some(strength) = strength(page, id) else { continue };
        if (strength == Strength::Weak && wanted == Wanted::Published) || is_aside(page, id) {
            continue;
        }
        let Some(date) = of_element(page, id, order) else { continue };
        if strength == Strength::Strong || after.is_none_or(|heading| id > heading) {
            return Some(date);
        }
        fallback = fallback.or(Some(date));
    }
    fallback
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    Strong,
    Weak,
}

/// How surely an element is the page's date of publication.
fn strength(page: &Page, id: Id) -> Option<Strength> {
    let item = page.attribute(id, "itemprop").unwrap_or("").to_ascii_lowercase();
    if item.split_ascii_whitespace().any(|name| name == "datepublished" || name == "datecreated")
        || page.attribute(id, "pubdate").is_some()
    {
        return Some(Strength::Strong);
    }
    let class = page.attribute(id, "class").unwrap_or("").to_ascii_lowercase();
    let name = page.attribute(id, "id").unwrap_or("").to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| class.contains(word) || name.contains(word));
    let changed = says(&["updat", "modif"]) || item.contains("modified");
    if page.is(id, "time") {
        let strong =
            !changed && says(&["publish", "entry-date", "posted", "pubdate", "post-date", "created"]);
        return Some(if strong { Strength::Strong } else { Strength::Weak });
    }
    if page.is(id, "meta") || page.is(id, "body") || page.is(id, "script") {
        return None;
    }
    if !changed
        && says(&[
            "pubdate",
            "publishdate",
            "publish-date",
            "published",
            "post-date",
            "postdate",
            "entry-date",
            "date-published",
            "article-date",
            "article__date",
            "posted-on",
            "post__date",
            "date-posted",
            "news-date",
            "artikel-datum",
        ])
    {
        return Some(Strength::Strong);
    }
    says(&["date", "time", "datum", "fecha", "byline", "meta", "posted", "dateline", "info"])
        .then_some(Strength::Weak)
}

/// The attribute that holds the date, else the words.
fn of_element(page: &Page, id: Id, order: Order) -> Option<String> {
    for attribute in ["datetime", "content", "data-datetime", "data-date"] {
        if let Some(date) = page.value(id, attribute).and_then(normal) {
            return Some(date);
        }
    }
    // Long containers are not asked; the small element inside them is.
    let size: usize =
        page.inside(id).filter_map(|inner| page.text(inner)).map(|text| text.trim().len()).sum();
    if size == 0 || size > MAX_DATE_TEXT {
        return None;
    }
    calendar::first(&page.folded_text(id), order).map(bare)
}

/// Comments, teasers of other pages, bars at the side.
fn is_aside(page: &Page, id: Id) -> bool {
    std::iter::once(id).chain(page.ancestors(id)).take_while(|&above| !page.is(above, "body")).any(|above| {
        if matches!(page.tag(above), "aside" | "nav" | "footer") && above != id {
            return true;
        }
        [page.attribute(above, "class"), page.attribute(above, "id")].into_iter().flatten().any(|words| {
            let words = words.to_ascii_lowercase();
            [
                "related",
                "sidebar",
                "comment",
                "widget",
                "recommend",
                "popular",
                "trending",
                "teaser",
                "latest",
                "footer",
                "recent",
                "more-",
            ]
            .iter()
            .any(|mark| words.contains(mark))
        })
    })
}

/// A short text with a date just before or after the heading.
fn near_heading(sources: &Sources<'_>) -> Option<String> {
    let page = sources.page;
    let heading = sources.main_heading?;
    let order = sources.order();
    let date = |id: Id| {
        let text = page.text(id).map(str::trim).filter(|text| text.len() <= MAX_DATE_TEXT)?;
        calendar::first(text, order).map(bare)
    };
    let worded = |id: &Id| page.text(*id).is_some_and(|text| !text.trim().is_empty());
    let after = (page.subtree(heading).end..page.len()).filter(worded).take(NEAR_HEADING.1).find_map(date);
    after.or_else(|| (1..heading).rev().filter(worded).take(NEAR_HEADING.0).find_map(date))
}

/// Words that announce a date, anywhere in the body.
fn announced(sources: &Sources<'_>) -> Option<String> {
    const WORDS: &[&str] = &[
        "published",
        "posted",
        "publié",
        "publicado",
        "pubblicato",
        "veröffentlicht",
        "erstellt am",
        "stand:",
        "gepubliceerd",
        "geplaatst",
        "опубликовано",
        "opublikowano",
        "yayın",
        "发布",
        "發布",
        "公開",
        "投稿",
        "created",
        "written",
        "last updated",
        "updated",
        "aktualisiert",
        "mis à jour",
        "actualizado",
        "aggiornato",
        "last modified",
        "date:",
        "datum",
    ];
    let page = sources.page;
    let order = sources.order();
    (1..page.len()).filter(|&id| page.text(id).is_some()).find_map(|id| {
        let text = page.text(id)?.trim();
        if text.len() < 4 || text.len() > 3 * MAX_DATE_TEXT {
            return None;
        }
        let lower = text.to_lowercase();
        if !WORDS.iter().any(|word| lower.contains(word)) || is_aside(page, id) {
            return None;
        }
        // The date often stands in the element after the word.
        let around = page
            .ancestors(id)
            .find(|&above| page.folded_text(above).len() > text.len())
            .map(|above| page.folded_text(above));
        calendar::first(text, order)
            .or_else(|| calendar::first(&around.filter(|text| text.len() <= 2 * MAX_DATE_TEXT)?, order))
            .map(bare)
    })
}

/// The first short text with a date behind the heading, else in the body.
fn anywhere(sources: &Sources<'_>) -> Option<String> {
    let page = sources.page;
    let order = sources.order();
    let date = |id: Id| {
        let text = page.text(id).map(str::trim).filter(|text| (6..=MAX_DATE_TEXT).contains(&text.len()))?;
        let found = calendar::first(text, order)?;
        let silent = matches!(page.tag(page.parent(id)), "script" | "style" | "option" | "title");
        (!silent && !is_aside(page, id)).then(|| bare(found))
    };
    let from = sources.main_heading.unwrap_or(1);
    (from..page.len()).find_map(date).or_else(|| (1..from).find_map(date))
}

impl Sources<'_> {
    /// Americans write the month first.
    fn order(&self) -> Order {
        let language = self.language().unwrap_or_default();
        let national = self.address.and_then(url::Url::host_str).is_some_and(|host| {
            [".uk", ".au", ".in", ".ie", ".nz", ".za"].iter().any(|end| host.ends_with(end))
        });
        let english = language.is_empty() || language.starts_with("en");
        let abroad = ["en-GB", "en-AU", "en-IN", "en-IE", "en-NZ", "en-ZA"].contains(&language.as_str());
        if english && !national && !abroad { Order::MonthFirst } else { Order::DayFirst }
    }
}

#[cfg(test)]
mod tests;
