//! Links to the next part of a text, and to other versions of a page that is almost empty.

use url::Url;

use crate::{
    clean,
    document::{Category, NextLinks},
    page::{Page, links},
};

/// Number of words below which a page may be an empty shell.
const SHELL_WORDS: usize = 50;
/// Maximum number of other versions to return.
const MAX_FORMS: usize = 3;
/// Maximum part number that is followed.
const MAX_NUMBER: u32 = 99;

/// Finds the links of a page. `words` is the number of words that were extracted from it.
pub(super) fn find(
    page: &Page,
    address: Option<&Url>,
    base: Option<&Url>,
    category: Option<Category>,
    words: usize,
) -> NextLinks {
    let Some(address) = address else { return NextLinks::default() };
    let in_parts = !matches!(
        category,
        Some(
            Category::Homepage
                | Category::Forum
                | Category::Product
                | Category::Documentation
                | Category::Social
                | Category::Code
        )
    );
    NextLinks {
        next: if in_parts { next(page, address, base) } else { None },
        fuller: if words < SHELL_WORDS { fuller(page, address, base) } else { Vec::new() },
    }
}

/// URL of the next part of the text. The page declares it as `next`, and its part number follows the current
/// part number.
fn next(page: &Page, address: &Url, base: Option<&Url>) -> Option<String> {
    let named = (1..page.len()).filter(|&id| {
        matches!(page.tag(id), "link" | "a")
            && page
                .attribute(id, "rel")
                .is_some_and(|rel| rel.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case("next")))
    });
    named
        .filter_map(|id| links::resolve_web(base, page.value(id, "href")?))
        .find(|next| Url::parse(next).is_ok_and(|next| is_next_part(address, &next)))
}

/// True if `next` equals `current` except for the next part number: `?page=3` after `?page=2`, or `/story/2`
/// after `/story`.
pub(super) fn is_next_part(current: &Url, next: &Url) -> bool {
    if current.origin() != next.origin() {
        return false;
    }
    let (current, next) = (plain(current), plain(next));
    let (one, other) = (current.as_bytes(), next.as_bytes());
    let mut start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let rest = one.len().min(other.len()) - start;
    let mut tail = one.iter().rev().zip(other.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    // Extend the difference to whole numbers.
    let digit =
        |bytes: &[u8], at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let either = |at: &dyn Fn(&[u8]) -> Option<usize>| digit(one, at(one)) || digit(other, at(other));
    while start > 0 && one[start - 1].is_ascii_digit() && either(&|_| Some(start)) {
        start -= 1;
    }
    while digit(one, one.len().checked_sub(tail).filter(|_| tail > 0))
        && either(&|bytes| bytes.len().checked_sub(tail + 1))
    {
        tail -= 1;
    }
    let (Some(gone), Some(come)) = (
        current.get(start..current.len().saturating_sub(tail)),
        next.get(start..next.len().saturating_sub(tail)),
    ) else {
        return false;
    };
    if let (Some(before), Some(after)) = (number(gone), number(come)) {
        return after == before + 1;
    }
    let digits = come.len() - come.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (word, count) = come.split_at(come.len() - digits);
    let word: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    gone.is_empty()
        && number(count) == Some(2)
        && come.starts_with(['/', '?', '&', '-', '_', ',', '.', ';'])
        && matches!(
            word.to_ascii_lowercase().as_str(),
            "" | "page" | "p" | "pg" | "part" | "seite" | "pagina" | "pageno" | "pagenumber" | "s"
        )
}

/// Path and query without a trailing slash.
fn plain(url: &Url) -> String {
    let path = url.path().trim_end_matches('/');
    url.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"))
}

fn number(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|number| (1..=MAX_NUMBER).contains(number))
}

/// URLs of other versions of the page: AMP, canonical URL, print version.
fn fuller(page: &Page, address: &Url, base: Option<&Url>) -> Vec<String> {
    let mut forms: Vec<(u8, String)> = Vec::new();
    for id in 1..page.len() {
        let rel = page.attribute(id, "rel").unwrap_or("").to_ascii_lowercase();
        let rank = match page.tag(id) {
            "link" if rel == "amphtml" => 0,
            "link" if rel == "canonical" => 1,
            "link" if rel == "alternate" && page.attribute(id, "media") == Some("print") => 2,
            "a" if page.value(id, "href").is_some_and(is_print_view) => 3,
            _ => continue,
        };
        let Some(form) = page.value(id, "href").and_then(|href| links::resolve_web(base, href)) else {
            continue;
        };
        let is_current = Url::parse(&form)
            .is_ok_and(|url| url.origin() == address.origin() && plain(&url) == plain(address));
        if !is_current && forms.iter().all(|(_, known)| *known != form) {
            forms.push((rank, form));
        }
    }
    forms.sort_by_key(|(rank, _)| *rank);
    forms.into_iter().map(|(_, form)| form).take(MAX_FORMS).collect()
}

fn is_print_view(href: &str) -> bool {
    let href = href.to_ascii_lowercase();
    href.split(['/', '?', '&', '=', '.', '#'])
        .any(|word| matches!(word, "print" | "printview" | "printable" | "drucken"))
        && !href.starts_with("javascript")
}

/// Number of words of all blocks.
pub(super) fn words(blocks: &[crate::Block]) -> usize {
    blocks.iter().map(|block| clean::words(&block.text)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follows(current: &str, next: &str) -> bool {
        let address = |path: &str| Url::parse(&format!("https://a.example{path}")).unwrap();
        is_next_part(&address(current), &address(next))
    }

    #[test]
    fn url_with_the_next_part_number_is_the_next_part() {
        for (current, next) in [
            ("/story", "/story/2"),
            ("/story/", "/story/page/2/"),
            ("/story?page=2", "/story?page=3"),
            ("/story?id=7", "/story?id=7&page=2"),
            ("/story.html", "/story-2.html"),
            ("/story-9.html", "/story-10.html"),
            ("/story,seite-2", "/story,seite-3"),
        ] {
            assert!(follows(current, next), "{current} {next}");
        }
    }

    #[test]
    fn urls_without_the_next_number_are_not_the_next_part() {
        for (current, next) in [
            ("/story", "/other"),
            ("/story?page=2", "/story?page=4"),
            ("/story?page=3", "/story?page=2"),
            ("/2026/01/12", "/2026/02/13"),
            ("/story", "/story"),
            ("/story", "/story/comments2"),
            ("/install", "/configure"),
            ("/a/100", "/a/101"),
        ] {
            assert!(!follows(current, next), "{current} {next}");
        }
        let elsewhere = Url::parse("https://b.example/story/2").unwrap();
        assert!(!is_next_part(&Url::parse("https://a.example/story").unwrap(), &elsewhere));
    }
}
