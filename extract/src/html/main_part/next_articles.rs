//! Excludes articles that infinite scroll appends to the article of the URL.

use url::Url;

use super::units::{Units, units_in};
use crate::{
    clean,
    page::{Id, Page},
};

/// Minimum number of words in an appended article.
const MIN_WORDS: usize = 60;
/// Minimum number of words in a title for it to identify its article.
const MIN_TITLE_WORDS: usize = 2;
/// Maximum number of declared titles of a page.
const MAX_TITLES: usize = 4;
/// Maximum number of characters in a declared title.
const MAX_TITLE_CHARS: usize = 400;
/// Maximum number of ancestors of a heading that are searched for its article.
const MAX_ANCESTORS: usize = 12;
/// Class names of appended articles.
const NEXT_NAMES: [&str; 6] =
    ["next-article", "next-post", "next-story", "nextarticle", "infinite-article", "infinite-post"];
/// Attributes with the URL of an article.
const ADDRESSES: [&str; 9] = [
    "data-url", "data-permalink", "data-href", "data-link", "data-uri", "data-article-url", "data-page-url",
    "data-path", "itemid",
];

/// Excludes all articles except the article whose heading is the title of the page, if each of the other
/// articles has its own URL or byline.
pub(super) fn deselect(page: &Page, units: &Units, address: Option<&Url>, selected: &mut [bool]) {
    let Some(main) = main_heading(page) else { return };
    for article in page.ancestors(main).take(MAX_ANCESTORS) {
        if matches!(page.tag(article), "body" | "html" | "main") || article == 0 {
            return;
        }
        let siblings: Vec<Id> = page
            .element_children(page.parent(article))
            .filter(|&sibling| sibling != article)
            .filter(|&sibling| is_alike(page, article, sibling) || is_named_next(page, sibling))
            .filter(|&sibling| selected_words(page, units, sibling, selected) >= MIN_WORDS)
            .filter(|&sibling| is_other_article(page, main, sibling, address))
            .collect();
        if siblings.is_empty() {
            continue;
        }
        let own = declared(page, article).or_else(|| linked(page, main));
        let is_of_page = own.is_none_or(|own| !leads_elsewhere(own, address));
        if is_of_page && selected_words(page, units, article, selected) >= MIN_WORDS {
            for sibling in siblings {
                selected[units_in(page, units, sibling)].fill(false);
            }
        }
        return;
    }
}

/// First heading whose text is the declared title of the page.
fn main_heading(page: &Page) -> Option<Id> {
    let is_title = |id: Id| page.is(id, "title") && page.is(page.parent(id), "head");
    let is_stated = |id: Id| page.is(id, "meta") && page.attribute(id, "property") == Some("og:title");
    let stated: Vec<String> = (1..page.len())
        .filter_map(|id| {
            let title = is_title(id).then(|| page.folded_text(id));
            title.or_else(|| is_stated(id).then(|| page.value(id, "content").map(str::to_owned))?)
        })
        .take(MAX_TITLES)
        .map(|title| spaced(&title.chars().take(MAX_TITLE_CHARS).collect::<String>()))
        .collect();
    (1..page.len()).filter(|&id| matches!(page.tag(id), "h1" | "h2")).find(|&id| {
        let text = spaced(&page.folded_text(id));
        clean::words(&text) >= MIN_TITLE_WORDS && stated.iter().any(|title| title.contains(&text))
    })
}

/// True if the second element has the same tag and class as the first.
fn is_alike(page: &Page, article: Id, sibling: Id) -> bool {
    let class = |id: Id| page.class_names(id).next();
    page.tag(article) == page.tag(sibling)
        && (page.is(article, "article") || class(article) == class(sibling) && class(article).is_some())
}

/// True if a class name declares that the element is the next article.
fn is_named_next(page: &Page, id: Id) -> bool {
    page.class_names(id).any(|class| NEXT_NAMES.iter().any(|name| class.eq_ignore_ascii_case(name)))
}

fn selected_words(page: &Page, units: &Units, id: Id, selected: &[bool]) -> usize {
    let inside = units_in(page, units, id);
    let chosen = units[inside.clone()].iter().zip(&selected[inside]).filter(|(_, selected)| **selected);
    chosen.map(|(unit, _)| unit.words).sum()
}

/// True for an article with another URL, or with its own main heading and byline.
fn is_other_article(page: &Page, main: Id, id: Id, address: Option<&Url>) -> bool {
    let mut headings = page.descendants(id).filter(|&inner| matches!(page.tag(inner), "h1" | "h2"));
    let Some(heading) = headings.next() else { return false };
    if let Some(declared) = declared(page, id).or_else(|| linked(page, heading)) {
        return leads_elsewhere(declared, address);
    }
    if is_named_next(page, id) {
        // A lower heading is the heading of a section.
        return page.find(id, "h1").is_some() || page.tag(heading) == page.tag(main);
    }
    let is_dated = page.descendants(id).any(|inner| page.is(inner, "time"));
    let has_author = page.descendants(id).any(|inner| {
        page.attribute(inner, "rel") == Some("author")
            || page.attribute(inner, "itemprop") == Some("author")
            || page.has_class(inner, "author")
            || page.has_class(inner, "byline")
    });
    page.is(id, "article") && page.is(main, "h1") && page.is(heading, "h1") && is_dated && has_author
}

/// URL that an article declares as canonical.
fn declared(page: &Page, id: Id) -> Option<&str> {
    let of_element = ADDRESSES.iter().find_map(|name| page.value(id, name));
    of_element.or_else(|| {
        page.descendants(id)
            .filter(|&inner| matches!(page.tag(inner), "meta" | "link"))
            .filter(|&inner| page.attribute(inner, "itemprop") == Some("mainEntityOfPage"))
            .find_map(|inner| {
                ["itemid", "content", "href"]
                    .iter()
                    .find_map(|name| page.value(inner, name))
                    .filter(|value| value.contains('/'))
            })
    })
}

/// URL that a heading links to.
fn linked(page: &Page, heading: Id) -> Option<&str> {
    let inner = page.descendants(heading).find(|&inner| page.is(inner, "a"));
    let link = inner.or_else(|| page.ancestors(heading).take(2).find(|&above| page.is(above, "a")));
    page.value(link?, "href").filter(|href| !href.starts_with('#'))
}

/// True if a URL refers to another page of the same site. False if the URL of the page is unknown.
fn leads_elsewhere(declared: &str, address: Option<&Url>) -> bool {
    let Some(address) = address else { return false };
    address.join(declared).is_ok_and(|url| {
        let host = |url: &Url| url.host_str().map(|host| host.trim_start_matches("www.").to_owned());
        host(&url) == host(address)
            && url.path().trim_end_matches('/') != address.path().trim_end_matches('/')
    })
}

/// Lower-case words with a space before and after each, so that a substring match covers whole words only.
fn spaced(text: &str) -> String {
    format!(" {} ", clean::lower_words(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    /// Headings that remain selected, given that the classifier selected all texts of the page.
    fn headings_of(title: &str, body: &str) -> Vec<String> {
        let page = parse_page(&format!("<head><title>{title}</title></head><body>{body}")).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let mut selected = vec![true; units.len()];
        let address = Url::parse("https://www.news.example/2024/lamps").unwrap();
        deselect(&page, &units, Some(&address), &mut selected);
        let headings = units
            .iter()
            .zip(&selected)
            .filter(|(unit, selected)| **selected && matches!(page.tag(unit.container), "h1" | "h2"));
        headings.map(|(unit, _)| unit.text.trim().to_owned()).collect()
    }

    fn text() -> String {
        "<p>The keeper counted the ships before dawn and noted each of them in the long green ledger.</p>"
            .repeat(8)
    }

    #[test]
    fn next_articles_of_an_endless_page_are_dropped() {
        let text = text();
        let byline = "<a rel=author>Julia Doe</a><time>May 3</time>";
        for body in [
            format!(
                "<main><article><h1>Lamps of the north</h1>{text}</article><article><h2><a href=/2024/buoys>Buoys</a></h2>{text}</article></main>"
            ),
            format!(
                "<div class=post data-url=/2024/lamps><h1>Lamps of the north</h1>{text}</div><div class=post data-url=/2024/buoys><h1>Buoys</h1>{text}</div>"
            ),
            format!(
                "<div class='item first'><article><h1>Lamps of the north</h1>{text}</article></div><div class='item'><article itemid=x><h1><a href=https://news.example/2024/buoys>Buoys</a></h1>{text}</article></div>"
            ),
            format!(
                "<article><h1>Lamps of the north</h1>{text}</article><div class=next-article><article><h1>Buoys</h1>{text}</article></div>"
            ),
            format!(
                "<article><h1>Lamps of the north</h1>{byline}{text}</article><article><h1>Buoys</h1>{byline}{text}</article><article><h1>Boats</h1>{byline}{text}</article>"
            ),
        ] {
            assert_eq!(headings_of("Lamps of the north - News", &body), ["Lamps of the north"], "{body}");
        }
    }

    #[test]
    fn sections_and_posts_of_the_same_page_are_retained() {
        let text = text();
        let section = |heading: &str| format!("<section class=part><h1>{heading}</h1>{text}</section>");
        let post = |heading: &str, path: &str| {
            format!("<article class=post><h2><a href={path}>{heading}</a></h2>{text}</article>")
        };
        for (title, body) in [
            ("Lamps of the north", section("Lamps of the north") + &section("Buoys of it")),
            (
                "The harbour blog",
                post("Lamps of the north", "/2024/lamps") + &post("Buoys of it", "/2024/buoys"),
            ),
            (
                "Lamps of the north",
                post("Lamps of the north", "/2024/other") + &post("Buoys of it", "/2024/buoys"),
            ),
            ("Lamps of the north", post("Lamps of the north", "#a") + &post("Buoys of it", "#b")),
            (
                "Lamps of the north",
                format!(
                    "<article><h1>Lamps of the north</h1>{text}</article><div class=next-story><h2>Buoys of it</h2>{text}</div>"
                ),
            ),
            (
                "Lamps of the north",
                format!(
                    "<article><h1>Lamps of the north</h1>{text}</article><div class=has-next-article><h1>Buoys of it</h1>{text}</div>"
                ),
            ),
        ] {
            assert_eq!(headings_of(title, &body), ["Lamps of the north", "Buoys of it"], "{body}");
        }
    }
}
