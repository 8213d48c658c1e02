//! When a page was published and changed.

use super::Sources;

/// The date of publication.
pub(super) fn published(sources: &Sources<'_>) -> Option<String> {
    let meta = sources.first(&[
        "article:published_time",
        "og:published_time",
        "datepublished",
        "article:published",
        "parsely-pub-date",
        "sailthru.date",
        "dc.date.issued",
        "dcterms.issued",
        "dcterms.created",
        "dc.date",
        "dc:date",
        "dcterms.date",
        "citation_publication_date",
        "citation_date",
        "pubdate",
        "publishdate",
        "publish-date",
        "publication_date",
        "date",
        "created",
        "article_date_original",
    ]);
    let linked = sources.linked.published.as_deref();
    linked.into_iter().chain(meta).find_map(normal).or_else(|| {
        let page = sources.page;
        (1..page.len()).filter(|&id| page.is(id, "time")).find_map(|id| normal(page.value(id, "datetime")?))
    })
}

/// The date of the last change.
pub(super) fn modified(sources: &Sources<'_>) -> Option<String> {
    let meta = sources.first(&[
        "article:modified_time",
        "og:updated_time",
        "datemodified",
        "dcterms.modified",
        "last-modified",
    ]);
    sources.linked.modified.as_deref().into_iter().chain(meta).find_map(normal)
}

/// RFC 3339, or a bare date.
pub(crate) fn normal(raw: &str) -> Option<String> {
    let raw = raw.trim();
    if let Ok(time) = chrono::DateTime::parse_from_rfc3339(raw) {
        return Some(time.to_rfc3339());
    }
    let day = chrono::NaiveDate::parse_from_str(raw.get(..10)?, "%Y-%m-%d").ok()?;
    Some(day.format("%Y-%m-%d").to_string())
}
