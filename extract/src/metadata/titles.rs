//! The title: the page's own heading when it can be told, else what the page names itself without the site's name.

use super::Sources;
use crate::clean;

const MAX_TITLE_CHARS: usize = 400;

/// The title of the text.
pub(super) fn title(sources: &Sources<'_>, publisher: Option<&str>) -> Option<String> {
    let page = sources.page;
    let named = sources.title.map(|id| clean::fold(&page.raw_text(id))).filter(|title| !title.is_empty());
    let open_graph = sources
        .first(&["og:title", "twitter:title", "citation_title", "dc.title", "title"])
        .map(|title| clean::fold(&super::names::unescape(title)));
    let headings: Vec<String> = sources
        .headings
        .iter()
        .filter(|&&id| page.is(id, "h1"))
        .map(|&id| page.folded_text(id))
        .filter(|text| !text.is_empty() && text.chars().count() <= MAX_TITLE_CHARS)
        .collect();
    let about = named.as_deref().or(open_graph.as_deref()).unwrap_or("").to_lowercase();
    let stands_in = |text: &&String| about.contains(&text.to_lowercase()) && clean::words(text) >= 2;
    headings
        .iter()
        .find(stands_in)
        .cloned()
        .or_else(|| (headings.len() == 1 && clean::words(&headings[0]) >= 3).then(|| headings[0].clone()))
        .or_else(|| open_graph.clone().map(|title| without_site(&title, publisher)))
        .or_else(|| sources.linked.title.clone())
        .or_else(|| named.as_deref().map(|title| without_site(title, publisher)))
        .or_else(|| headings.into_iter().next())
        .map(|title| title.chars().take(MAX_TITLE_CHARS).collect())
}

/// `Title | Site` and its relatives.
fn without_site(title: &str, publisher: Option<&str>) -> String {
    for separator in [" | ", " – ", " — ", " - ", " » ", " :: ", " · ", " • ", " / "] {
        let Some((head, tail)) = title.rsplit_once(separator) else { continue };
        let site = publisher.is_some_and(|publisher| tail.trim().eq_ignore_ascii_case(publisher.trim()));
        if (site || clean::words(tail) <= 4) && clean::words(head) >= 2 {
            return head.trim().to_owned();
        }
    }
    title.to_owned()
}
