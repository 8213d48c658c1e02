//! Selects embedded posts of social networks as a whole, and the attribution at the end of a quote.
//!
//! The author and date of a post are a few words after its text, so the classifier drops them.

use std::ops::Range;

use super::units::{Unit, Units, units_in};
use crate::page::{Id, Page};

/// Class names of embedded posts.
const POSTS: [&str; 14] = [
    "twitter-tweet", "twitter-video", "tweet", "instagram-media", "bluesky-embed", "mastodon-embed",
    "text-post-media", "tiktok-embed", "fb-post", "reddit-card", "reddit-embed-bq", "threads-post",
    "linkedin-post", "embedded-post",
];
/// Maximum number of words in an embedded post.
const MAX_POST_WORDS: usize = 400;
/// Maximum number of words in the attribution of a quote.
const MAX_ATTRIBUTION_WORDS: usize = 30;

/// Selects posts that are between selected texts or partly selected, and the attributions of selected quotes.
pub(super) fn keep(page: &Page, units: &Units, selected: &mut [bool]) {
    for row in rows(page, units) {
        let (first, last) = (row.first().map_or(0, |post| post.start), row.last().map_or(0, |post| post.end));
        let before = first.checked_sub(1).is_some_and(|unit| selected[unit]);
        let after = selected.get(last) == Some(&true);
        for post in row {
            if before && after || selected[post.clone()].contains(&true) {
                selected[post].fill(true);
            }
        }
    }
    for quote in (1..page.len()).filter(|&id| page.is(id, "blockquote")) {
        let inside = units_in(page, units, quote);
        if selected[inside.clone()].contains(&true) {
            let last = inside.end - 1;
            selected[last] |= is_attribution(&units[last]);
        }
    }
}

/// Unit ranges of the posts, grouped into rows of posts without other text between them.
fn rows(page: &Page, units: &Units) -> Vec<Vec<Range<usize>>> {
    let mut rows: Vec<Vec<Range<usize>>> = Vec::new();
    let mut id: Id = 1;
    while id < page.len() {
        if !is_post(page, id) {
            id += 1;
            continue;
        }
        let inside = units_in(page, units, id);
        let words: usize = units[inside.clone()].iter().map(|unit| unit.words).sum();
        if !inside.is_empty() && words <= MAX_POST_WORDS {
            match rows.last_mut() {
                Some(row) if row.last().is_some_and(|post| post.end == inside.start) => row.push(inside),
                _ => rows.push(vec![inside]),
            }
        }
        id = page.subtree(id).end;
    }
    rows
}

fn is_post(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "blockquote" | "div" | "figure" | "article" | "section")
        && page.class_names(id).any(|class| POSTS.contains(&class))
}

/// True for a short line that begins with a dash.
fn is_attribution(unit: &Unit) -> bool {
    let text = unit.text.trim();
    let has_dash = text.starts_with(['—', '–', '―', '⸺', '~']) || text.starts_with("-- ");
    has_dash && unit.words <= MAX_ATTRIBUTION_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    /// Selected texts of a page, given that the classifier selected the texts that contain `Text`.
    fn selected_texts(body: &str) -> Vec<String> {
        let page = parse_page(body).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let mut selected: Vec<bool> = units.iter().map(|unit| unit.text.contains("Text")).collect();
        keep(&page, &units, &mut selected);
        let chosen = units.iter().zip(&selected).filter(|(_, selected)| **selected);
        chosen.map(|(unit, _)| unit.text.trim().to_owned()).collect()
    }

    #[test]
    fn embedded_posts_are_selected_with_author_and_date() {
        let signature = "&mdash; Ann (@ann) <a href=/1>May 3, 2024</a>";
        for body in [
            format!(
                "<p>Text.</p><blockquote class=twitter-tweet><p>It fell.</p>{signature}</blockquote><p>Text.</p>"
            ),
            format!(
                "<p>Text.</p><figure><blockquote class=bluesky-embed><p>It fell.</p>{signature}</blockquote></figure><p>Text.</p>"
            ),
            format!(
                "<p>Text.</p><div class='card tweet'><div>It fell.</div><div>{signature}</div></div><p>Text.</p>"
            ),
        ] {
            let expected = ["Text.", "It fell.", "— Ann (@ann) May 3, 2024", "Text."];
            assert_eq!(selected_texts(&body), expected, "{body}");
        }
    }

    #[test]
    fn attribution_of_a_selected_quote_is_selected() {
        let quote = |end: &str| selected_texts(&format!("<blockquote><p>Text.</p>{end}</blockquote>")).len();
        assert_eq!(quote("— Ann"), 2);
        assert_eq!(quote("<p>– Ann, on the harbour</p>"), 2);
        assert_eq!(quote("<p>Share</p>"), 1);
    }

    #[test]
    fn posts_outside_the_text_are_not_selected() {
        let post = "<blockquote class=twitter-tweet><p>It fell.</p>— Ann</blockquote>";
        assert_eq!(selected_texts(&format!("<p>Text.</p><aside>{post}<p>More</p></aside>")), ["Text."]);
        assert_eq!(selected_texts(&format!("{post}<p>Text.</p>")), ["Text."]);
        assert_eq!(selected_texts(&format!("<p>Text.</p>{post}{post}<p>Text.</p>")).len(), 6);
    }
}
