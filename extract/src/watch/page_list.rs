//! Selects the list that may be watched for new items, on a page without a feed: the best of the suggested
//! lists, with a preview of its items.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use url::Url;

use super::{
    observe,
    snapshot::{ExtractedItem, Snapshot},
    suggestion::SuggestionKind,
    target::{Target, WatchedField},
};
use crate::document::Input;

/// Name and selector of the field that is read from each item of a list.
pub const LIST_FIELD: (&str, &str) = ("title", "a");
/// Maximum number of items of the preview.
const MAX_PREVIEW: usize = 10;
/// Minimum number of items with different links in a list.
const MIN_ITEMS: usize = 3;
/// Maximum number of items, and maximum number of characters of a title, that are counted when lists are
/// compared. Navigation has short titles.
const MAX_COUNTED_ITEMS: usize = 20;
const MAX_COUNTED_CHARS: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageList {
    /// URL of the page.
    pub url: String,
    /// Title of the page, or its host.
    pub title: String,
    /// Selector of each item.
    pub selector: String,
    /// Number of items.
    pub total: usize,
    /// First items.
    pub items: Vec<PageListItem>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageListItem {
    pub title: String,
    /// Absolute URL of the item.
    pub url: Option<String>,
}

/// Target that watches the items of a list.
pub fn list_target(selector: &str) -> Target {
    let (name, field) = LIST_FIELD;
    Target::Extract { items: Some(selector.to_owned()), fields: vec![WatchedField::new(name, field)] }
}

/// Selects the best list of a page. `None` if the page has no list, or if the input is not a page.
pub fn page_list(page: &Input) -> Option<PageList> {
    let suggestions = observe::suggestions(&page.bytes, page.content_type.as_deref());
    let lists = suggestions.into_iter().filter(|suggestion| suggestion.kind == SuggestionKind::List);
    let rated = lists.filter_map(|suggestion| read(page, suggestion.selector));
    // If several lists have the same rank, the first list is chosen.
    let best = rated.reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map(|(_, list)| list)
}

/// Reads the list with this selector, and returns it with its rank among the lists of the page.
fn read(page: &Input, selector: String) -> Option<(usize, PageList)> {
    let (content_type, url) = (page.content_type.as_deref(), page.url.as_deref());
    let observation = observe::observe(&page.bytes, content_type, url, &list_target(&selector), &[]).ok()?;
    let Snapshot::Items(items) = observation.snapshot else { return None };
    let links: HashSet<&str> = items.iter().filter_map(|item| item.link.as_deref()).collect();
    if links.len() < MIN_ITEMS {
        return None;
    }
    let url = page.url.clone()?;
    let host = || Url::parse(&url).ok()?.host_str().map(str::to_owned);
    let title = observation.title.or_else(host)?;
    let rank = rank(&items);
    let preview = items.iter().take(MAX_PREVIEW);
    let preview = preview.map(|item| PageListItem { title: item.title.clone(), url: item.link.clone() });
    let list = PageList { url, title, selector, total: items.len(), items: preview.collect() };
    Some((rank, list))
}

/// Rank of a list: the sum of the lengths of its first titles.
fn rank(items: &[ExtractedItem]) -> usize {
    let titles = items.iter().take(MAX_COUNTED_ITEMS).map(|item| &item.title);
    titles.map(|title| title.chars().count().min(MAX_COUNTED_CHARS)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(body: &str) -> Option<PageList> {
        page_list(&Input {
            bytes: format!("<html><head><title>Harbour</title></head><body>{body}</body></html>")
                .into_bytes(),
            content_type: Some("text/html".to_owned()),
            url: Some("https://harbour.example/news".to_owned()),
        })
    }

    fn items(class: &str, title: &str) -> String {
        let item = |n: u32| format!("<div class={class}><h2><a href=/{class}/{n}>{title} {n}</a></h2></div>");
        (1..=12).map(item).collect()
    }

    #[test]
    fn list_with_the_longer_titles_is_chosen_with_its_items() {
        let body = format!(
            "<div id=topics>{}</div><main id=posts>{}</main>",
            items("topic", "Boats"),
            items("post", "A longer title of a post about the tide")
        );
        let list = list(&body).expect("a list");
        assert_eq!((list.selector.as_str(), list.total, list.items.len()), ("#posts > div.post", 12, 10));
        assert_eq!((list.title.as_str(), list.url.as_str()), ("Harbour", "https://harbour.example/news"));
        let first = PageListItem {
            title: "A longer title of a post about the tide 1".to_owned(),
            url: Some("https://harbour.example/post/1".to_owned()),
        };
        assert_eq!(list.items[0], first);
        assert!(list_target(&list.selector).check().is_empty());
    }

    #[test]
    fn page_without_a_list_has_no_page_list() {
        assert_eq!(list("<p>Nothing to follow.</p>"), None);
        assert_eq!(list(&format!("<nav>{}</nav>", items("entry", "Boats"))), None);
        let items = "<li class=job><a href=/jobs>Jobs of the harbour</a></li>".repeat(5);
        assert_eq!(list(&format!("<ul id=jobs>{items}</ul>")), None, "all links lead to one page");
        let json =
            Input { bytes: b"{\"a\":1}".to_vec(), content_type: Some("application/json".into()), url: None };
        assert_eq!(page_list(&json), None);
    }
}
