//! Dates of publication and of the last change. They are read from structured data, `meta` elements, the URL,
//! marked elements, and finally from words near the heading.

use chrono::{DateTime, NaiveDate};

use super::{
    calendar,
    sources::MetadataSources,
    visible_dates::VisibleDates,
    written_date::{format_date, normal},
};
use crate::page::Page;

/// Names of `meta` elements with the date of publication, the most reliable first.
const PUBLISHED: [&str; 32] = [
    "article:published_time", "og:article:published_time", "og:published_time", "datepublished",
    "article:published", "rnews:datepublished", "parsely-pub-date", "sailthru.date", "dc.date.issued",
    "dcterms.issued", "dcterms.created", "dc.date.created", "dc.date", "dc:date", "dcterms.date",
    "citation_publication_date", "citation_online_date", "citation_date", "pubdate", "publishdate",
    "publish-date", "publish_date", "publication_date", "published_date", "originalpublicationdate", "date",
    "displaydate", "created", "article_date_original", "article.created", "cxenseparse:recs:publishtime",
    "video:release_date",
];

/// Date of publication.
pub(super) fn published(sources: &MetadataSources<'_>) -> Option<String> {
    let from_address = sources.address.and_then(|url| date_in_path(url.path()));
    let meta = sources.first(&PUBLISHED);
    let stated = sources
        .linked
        .published
        .as_deref()
        .into_iter()
        .chain(meta)
        .chain(sources.linked.uploaded.as_deref())
        .chain(similarly_named(sources))
        .find_map(normal);
    let visible = VisibleDates::new(sources);
    if let Some(stated) = stated {
        let modified = modified(sources);
        return Some(
            if let Some(earlier) = earlier_visible_date(&stated, modified.as_deref(), from_address, &visible)
            {
                format_date(earlier)
            } else {
                in_page_time_zone(stated, modified.as_deref(), from_address, &visible)
            },
        );
    }
    from_address
        .map(format_date)
        .or_else(|| visible.published())
        .or_else(|| visible.near_heading().map(format_date))
        .or_else(|| visible.timed())
        .or_else(|| visible.announced().map(format_date))
        .or_else(|| visible.anywhere().map(format_date))
        .or_else(|| visible.marked())
        .or_else(|| visible.only_published())
        .or_else(|| visible.only_timed())
        .or_else(|| date_in_scripts(sources.page))
        .or_else(|| sources.linked.modified.as_deref().and_then(normal))
        .or_else(|| sources.first(&MODIFIED).and_then(normal))
}

/// Date near the heading, if it is earlier than the declared time of publication and the latter equals the
/// time of the last change. Such pages declare the time of the last change as the time of publication.
fn earlier_visible_date(
    stated: &str,
    modified: Option<&str>,
    from_address: Option<NaiveDate>,
    date: &VisibleDates<'_>,
) -> Option<NaiveDate> {
    // The first 16 bytes of an RFC 3339 time extend to the minute.
    let is_last_change = modified?.get(..16) == stated.get(..16) && modified?.get(..10) == stated.get(..10);
    if from_address.is_some() || !is_last_change {
        return None;
    }
    let stated: NaiveDate = stated.get(..10)?.parse().ok()?;
    date.dated_at_heading().filter(|date| *date < stated)
}

/// Converts a UTC time of publication to the time zone or the day of the page. The UTC day may differ from
/// the day on which the page was published, which its URL or another time on the page shows. A date near the
/// heading is not used if it is the date of a change.
fn in_page_time_zone(
    stated: String,
    modified: Option<&str>,
    from_address: Option<NaiveDate>,
    visible: &VisibleDates<'_>,
) -> String {
    let Ok(time) = DateTime::parse_from_rfc3339(&stated) else { return stated };
    if time.offset().local_minus_utc() != 0 {
        return stated;
    }
    let day = time.date_naive();
    if from_address == Some(day) {
        return stated;
    }
    if let Some(local) = visible.same_moment(time) {
        return local.to_rfc3339();
    }
    let is_adjacent = |other: &NaiveDate| (*other - day).num_days().abs() == 1;
    let changed = modified.and_then(|day| day.get(..10)?.parse::<NaiveDate>().ok());
    let near = || visible.near_heading().filter(|near| is_adjacent(near) && changed != Some(*near));
    let own = from_address.filter(is_adjacent).or_else(near);
    own.map_or(stated, format_date)
}

/// Keys of dates in the data of scripts.
const SCRIPT_DATE_NAMES: [&str; 9] = [
    "datePublished", "publishedAt", "published_at", "publishDate", "publish_date", "publicationDate",
    "datepublished", "createdAt", "created_at",
];

/// Date in the data of scripts, identified by its key.
fn date_in_scripts(page: &Page) -> Option<String> {
    let scripts =
        || (1..page.len()).filter(|&id| page.is(page.parent(id), "script")).filter_map(|id| page.text(id));
    SCRIPT_DATE_NAMES.iter().find_map(|name| {
        let finder = memchr::memmem::Finder::new(name);
        scripts().find_map(|data| {
            finder.find_iter(data.as_bytes()).take(20).find_map(|at| {
                let rest = data.get(at + name.len()..)?.trim_start_matches(['"', '\\', '\'', ' ']);
                let value = rest.strip_prefix(':')?.trim_start_matches(['"', '\\', '\'', ' ']);
                let end = value.find(|c: char| !(c.is_ascii_alphanumeric() || "-:.+ ".contains(c)))?;
                Some(&value[..end])
                    .filter(|date| date.len() >= 10 && date.as_bytes()[4] == b'-')
                    .and_then(normal)
            })
        })
    })
}

/// Content of a `meta` element whose name is a variant spelling of a publication date.
fn similarly_named<'p>(sources: &MetadataSources<'p>) -> Option<&'p str> {
    let says = |name: &str| {
        let dated = name.rsplit_once(['.', ':']).is_some_and(|(_, last)| last == "date");
        (name.contains("publi") && !name.contains("publisher")) || dated && !name.contains("event")
    };
    let mut names: Vec<&String> = sources.meta.keys().filter(|name| says(name)).collect();
    names.sort_unstable();
    names
        .into_iter()
        .filter_map(|name| sources.meta.get(name)?.first().copied())
        .find(|value| normal(value).is_some())
}

const MODIFIED: [&str; 7] = [
    "article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "dc.date.modified",
    "last-modified", "revised",
];

/// Date of the last change.
pub(super) fn modified(sources: &MetadataSources<'_>) -> Option<String> {
    let meta = sources.first(&MODIFIED);
    sources.linked.modified.as_deref().into_iter().chain(meta).find_map(normal)
}

/// Parses a date in a URL path, such as `/2026/01/12/`, `/2026-01-12-title` or `/20260112/`.
fn date_in_path(path: &str) -> Option<NaiveDate> {
    let runs: Vec<(&str, usize)> = digit_runs(path);
    for (index, &(run, at)) in runs.iter().enumerate() {
        match run.len() {
            8 => {
                let date =
                    calendar::date(run[..4].parse().ok()?, run[4..6].parse().ok()?, run[6..].parse().ok()?);
                if date.is_some() {
                    return date;
                }
            }
            4 => {
                let (Some(&(month, month_at)), Some(&(day, day_at))) =
                    (runs.get(index + 1), runs.get(index + 2))
                else {
                    continue;
                };
                let joined = month_at == at + 5 && day_at == month_at + month.len() + 1;
                let separators = [path.as_bytes().get(at + 4), path.as_bytes().get(day_at.wrapping_sub(1))];
                let parted = separators[0] == separators[1]
                    && matches!(separators[0], Some(b'/' | b'-' | b'_' | b'.'));
                if joined && parted && month.len() <= 2 && day.len() <= 2 {
                    let date = calendar::date(run.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
                    if date.is_some() {
                        return date;
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

#[cfg(test)]
mod tests;
